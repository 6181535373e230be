// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory
internal import VaultFormat

/// What a new machine answers: who it is. The user decides whether it is let in.
package struct InvitationAnswer: Equatable, Sendable {
    package let publicKeys: PublicKeys
    /// The user's name for it.
    package let deviceName: String
    private let message: [UInt8]
    private let signature: [UInt8]

    static let magic = "AFsa"

    /// What two copies of one answer have in common, and no two answers.
    var identity: [UInt8] { message }

    /// Nil where it is no answer to this invitation.
    static func open(
        _ bytes: [UInt8], _ keys: InvitationKeys, with answerKey: SecretBytes
    ) throws(InvitationError) -> InvitationAnswer {
        let (group, id) = try InvitationKeys.read(magic, bytes)
        guard group == keys.group, id == keys.id else { throw .otherGroup }
        let header = keys.header(magic)
        let sealed = Array(bytes[InvitationKeys.headerCount...])
        guard let plain = keys.answer.open(sealed, with: answerKey, associated: header) else { throw .otherCode }
        let read = plain.withUnsafeBytes { plain -> InvitationAnswer? in
            var reader = BinaryReader(plain)
            let keys = PublicKeys(from: &reader)
            let signature = reader.bytes(Signature.byteCount), name = reader.countedText()
            guard reader.isAtEnd, name.utf8.count <= SyncFileLimits.nameBytes else { return nil }
            return InvitationAnswer(
                publicKeys: keys, deviceName: name, message: message(header, keys, name), signature: signature)
        }
        guard let read else { throw .malformed }
        return read
    }

    /// That the machine has the keys that it states, and that something can be sealed to them.
    func checked() throws(InvitationError) -> InvitationAnswer {
        guard publicKeys.verify(signature, of: message, as: .answer) else { throw .keysUnproven }
        guard publicKeys.isUsable else { throw .keysUnusable }
        return self
    }

    /// What is signed.
    static func message(_ header: [UInt8], _ keys: PublicKeys, _ name: String) -> [UInt8] {
        header + keys.signing + keys.sealing + name.utf8
    }
}
