// SPDX-License-Identifier: Apache-2.0
internal import Credentials
package import SecretMemory
package import SyncMerge
internal import VaultFormat

/// An invitation as the new machine reads it with the code that the user typed.
package struct ReceivedInvitation: Sendable {
    /// Who belongs to the group, as far as the invitation states it: the founder alone.
    package let members: MemberRegister
    /// The user's name for the machine that invites.
    package let deviceName: String
    /// What the folder has to have at least: an older folder was rolled back.
    package let vector: VersionVector
    let answerKey: [UInt8]
    private let keys: InvitationKeys

    package var group: GroupID { keys.group }
    /// The name of its file, and of the answer.
    package var id: UInt128 { keys.id }

    package init(_ file: [UInt8], typed code: SecretBytes) throws(InvitationError) {
        guard let code = WrittenKey(typed: code) else { throw .codeMistyped }
        let (group, id) = try InvitationKeys.read(Invitation.magic, file)
        keys = InvitationKeys(code, id: id, group: group)
        let content: InvitationContent?? = file[InvitationKeys.headerCount...].withUnsafeBytes { [keys] sealed in
            try? Sealing.open(
                sealed, key: keys.invitation, associated: keys.header(Invitation.magic)
            ) { plain throws(VaultError) -> InvitationContent? in
                var reader = BinaryReader(plain)
                return InvitationContent(from: &reader)
            }
        }
        guard let content else { throw .otherCode }
        guard let content else { throw .malformed }
        guard let members = MemberRegister(founding: content.founding), members.group == group else {
            throw .otherGroup
        }
        self.members = members
        deviceName = content.deviceName
        vector = content.vector
        answerKey = content.answerKey
    }

    /// The file that answers it.
    package func answer(by machine: KeyPairs, named deviceName: String) throws(InvitationError) -> [UInt8] {
        let name = SyncFileLimits.name(deviceName), header = keys.header(InvitationAnswer.magic)
        do throws(KeyFailure) {
            let message = InvitationAnswer.message(header, machine.publicKeys, name)
            let signature = try machine.sign(message, as: .answer)
            let plain = BinaryWriter.encode(padded: SizeClass.record) { writer in
                machine.publicKeys.write(to: &writer)
                writer.put(whole: signature)
                writer.put(counted: name)
            }
            return header + (try keys.answer.seal(plain, to: answerKey, associated: header))
        } catch { throw .keys }
    }
}
