// SPDX-License-Identifier: Apache-2.0
internal import SyncMerge
internal import VaultFormat

/// What precedes the entries: the writer's name and its version vector.
struct SyncFilePreface {
    let deviceName: String
    /// Without the writer itself.
    let vector: VersionVector

    init(deviceName: String, vector: VersionVector, without device: DeviceID) {
        self.deviceName = deviceName
        self.vector = VersionVector(vector.sequences.filter { $0.key != device && $0.value > 0 })
    }

    func write(to writer: inout BinaryWriter, _ table: DeviceTable) {
        writer.put(counted: deviceName)
        writer.put(compact: UInt64(vector.sequences.count))
        for (device, sequence) in vector.sequences.sorted(by: { $0.key < $1.key }) {
            table.put(FileOrigin(device: device, sequence: sequence), to: &writer)
        }
    }

    /// In ascending order, each device once, and never the writer.
    init(
        from reader: inout BinaryReader, _ table: DeviceTable, header: SyncFileHeader
    ) throws(SyncFileError) {
        deviceName = reader.countedText()
        var read: [DeviceID: UInt64] = [:], last = DeviceID.beforeSync
        for _ in 0..<reader.count(ofAtLeast: 2) where reader.isIntact {
            let origin = table.origin(from: &reader)
            if origin.device <= last || origin.device == header.device { reader.fail(()) }
            last = origin.device
            read[origin.device] = origin.sequence
        }
        vector = VersionVector(read)
        guard reader.isIntact, deviceName.utf8.count <= SyncFileLimits.nameBytes else { throw .contentMalformed }
    }

    func summary(_ header: SyncFileHeader) -> FileSummary {
        var vector = vector
        vector[header.device] = header.range.upperBound
        return header.isSnapshot
            ? FileSummary(snapshot: header.range.upperBound, of: header.device, vector: vector)
            : FileSummary(delta: header.range, of: header.device, vector: vector)
    }
}
