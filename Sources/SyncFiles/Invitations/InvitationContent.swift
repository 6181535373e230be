// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge
internal import VaultFormat

/// The sealed content of an invitation.
struct InvitationContent {
    /// The X25519 key to which the answer is sealed.
    let answerKey: [UInt8]
    let deviceName: String
    let founding: SignedStatement
    let vector: VersionVector

    init(answerKey: [UInt8], deviceName: String, founding: SignedStatement, vector: VersionVector) {
        self.answerKey = answerKey
        self.deviceName = deviceName
        self.founding = founding
        self.vector = vector
    }

    func write(to writer: inout BinaryWriter) {
        writer.put(whole: answerKey)
        writer.put(counted: deviceName)
        writer.put(founding.bytes)
        let table = DeviceTable(vector.sequences.keys)
        table.write(to: &writer)
        for (_, sequence) in vector.sequences.sorted(by: { $0.key < $1.key }) { writer.put(compact: sequence) }
    }

    /// Nil where it is malformed.
    init?(from reader: inout BinaryReader) {
        answerKey = reader.bytes(32)
        deviceName = reader.countedText()
        guard let founding = SignedStatement(from: &reader) else { return nil }
        self.founding = founding
        let table = DeviceTable(from: &reader)
        var read: [DeviceID: UInt64] = [:]
        for device in table.devices where reader.isIntact { read[device] = reader.compact() }
        vector = VersionVector(read)
        guard reader.isAtEnd, deviceName.utf8.count <= SyncFileLimits.nameBytes,
            read.values.allSatisfy({ SyncFileLimits.sequences.contains($0) })
        else { return nil }
    }
}
