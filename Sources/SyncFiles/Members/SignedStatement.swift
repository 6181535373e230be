// SPDX-License-Identifier: Apache-2.0
package import SyncMerge
internal import VaultFormat

/// A statement of a member about the group, with its signature: `MemberRegister` checks it.
package struct SignedStatement: Hashable, Sendable {
    package let group: GroupID
    package let signer: MemberStatement.Signer
    /// That of the file in which its signer published it first; of the recovery key, any.
    package let sequence: UInt64
    package let content: StatementContent
    /// As it is passed on.
    package let bytes: [UInt8]

    var signed: ArraySlice<UInt8> { bytes.dropLast(Signature.byteCount) }
    var signature: ArraySlice<UInt8> { bytes.suffix(Signature.byteCount) }

    /// States something.
    init(
        _ content: StatementContent, group: GroupID, signer: MemberStatement.Signer, sequence: UInt64, keys: KeyPairs
    ) throws(KeyFailure) {
        self.group = group
        self.signer = signer
        self.sequence = sequence
        self.content = content
        let unsigned = BinaryWriter.bytes { writer in
            writer.put(content.number)
            writer.put(group.rawValue)
            if case .device(let device) = signer { writer.put(device.rawValue) } else { writer.put(0 as UInt128) }
            writer.put(sequence)
            content.write(to: &writer)
        }
        bytes = unsigned + (try keys.sign(unsigned, as: .statement))
    }

    /// Reads one after its length; nil where it is malformed.
    init?(from reader: inout BinaryReader) {
        let length: UInt32 = reader.integer()
        guard length <= SyncFileLimits.statementBytes, let memory = reader.take(Int(length)) else { return nil }
        self.init(memory)
    }

    /// Reads one; nil where it is malformed.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= SyncFileLimits.statementBytes else { return nil }
        guard let read = bytes.withUnsafeBytes({ Self($0) }) else { return nil }
        self = read
    }

    private init?(_ memory: UnsafeRawBufferPointer) {
        guard memory.count > Signature.byteCount else { return nil }
        var reader = BinaryReader(UnsafeRawBufferPointer(rebasing: memory.dropLast(Signature.byteCount)))
        let number: UInt8 = reader.integer()
        group = GroupID(rawValue: reader.long())
        let device = DeviceID(rawValue: reader.long())
        signer = device == .beforeSync ? .recoveryKey : .device(device)
        sequence = reader.sequence()
        guard reader.isIntact, let content = StatementContent(number: number, from: &reader) else { return nil }
        self.content = content
        bytes = Array(memory)
    }

    var evaluated: MemberStatement? {
        content.evaluated.map { MemberStatement(signer: signer, sequence: sequence, content: $0) }
    }
}
