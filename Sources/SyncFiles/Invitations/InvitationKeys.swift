// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory
internal import SyncMerge
internal import VaultFormat

/// What follows from the code of an invitation and its random id.
struct InvitationKeys {
    let id: UInt128
    let group: GroupID
    private let code: WrittenKey

    static let format: UInt8 = 1

    init(_ code: WrittenKey, id: UInt128, group: GroupID) {
        self.code = code
        self.id = id
        self.group = group
    }

    /// Seals the invitation.
    var invitation: SecretBytes { derive("autofilld sync 1 invitation") }

    /// HPKE in the mode with a pre-shared key, which is made of the code.
    var answer: HybridSealing {
        HybridSealing(
            info: Array("autofilld sync 1 answer".utf8),
            presharedKey: (key: derive("autofilld sync 1 answer"), id: id.bytes))
    }

    /// In clear: what the file is (4), format (1), group (16), id (16).
    func header(_ magic: String) -> [UInt8] {
        Array(magic.utf8) + [Self.format] + group.rawValue.bytes + id.bytes
    }

    private func derive(_ info: String) -> SecretBytes {
        VaultKeys.derive(info, from: code.bytes, salt: id.bytes)
    }

    /// Reads such a header.
    static func read(_ magic: String, _ bytes: [UInt8]) throws(InvitationError) -> (group: GroupID, id: UInt128) {
        guard bytes.count <= SyncFileLimits.invitationBytes, bytes.starts(with: magic.utf8), bytes.count >= headerCount
        else { throw .malformed }
        guard bytes[4] == format else { throw bytes[4] > format ? .newerFormat(bytes[4]) : .malformed }
        let number = { (start: Int) in bytes[start..<start + 16].reduce(0) { $0 << 8 | UInt128($1) } }
        return (GroupID(rawValue: number(5)), number(21))
    }

    static let headerCount = 37
}
