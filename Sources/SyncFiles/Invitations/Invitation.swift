// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
package import SyncMerge
package import VaultFormat

/// An invitation of this machine: in memory only, for 15 minutes, for one machine.
package struct Invitation: Sendable {
    /// What the user types on the new machine.
    package let code: WrittenKey
    /// The file for the folder. Only the code opens it.
    package let file: [UInt8]
    package let group: GroupID
    /// The name of its file, and of the answers to it.
    package let id: UInt128
    let answerKey: SecretBytes
    private let issued: Int64
    private var state = Progress.open

    private enum Progress: Equatable {
        case open
        /// One machine answered.
        case answered([UInt8])
        case closed(InvitationError)
    }

    package static let validMilliseconds: Int64 = 15 * 60_000
    static let magic = "AFsi"

    /// - Parameters:
    ///   - vector: what this machine has merged, itself included: the new machine notices an old folder.
    ///   - now: of the steady clock, in milliseconds.
    package init(
        to members: MemberRegister, from deviceName: String, vector: VersionVector, now: Int64,
        using entropy: inout any RandomNumberGenerator
    ) throws(InvitationError) {
        code = WrittenKey.random(using: &entropy)
        id = UInt128(entropy.next() as UInt64) << 64 | UInt128(entropy.next() as UInt64)
        group = members.group
        issued = now
        guard let keys = try? KeyPairs.random(using: &entropy), let founding = members.statements.first else {
            throw .keys
        }
        answerKey = keys.sealing
        let content = InvitationContent(
            answerKey: keys.publicKeys.sealing, deviceName: SyncFileLimits.name(deviceName), founding: founding,
            vector: vector)
        let derived = InvitationKeys(code, id: id, group: group)
        let header = derived.header(Self.magic)
        let plain = BinaryWriter.encode(padded: SizeClass.record) { content.write(to: &$0) }
        do throws(VaultError) {
            file = try plain.withUnsafeBytes { plain throws(VaultError) in
                header
                    + (try Sealing.seal(plain, key: derived.invitation, associated: header, using: &entropy))
            }
        } catch { throw .keys }
    }

    /// Reads what is in the folder as answers; others' files, and answers with another code, are ignored. Nil where there is none
    /// yet. Two different answers close the invitation.
    package mutating func read(_ answers: [[UInt8]], now: Int64) throws(InvitationError) -> InvitationAnswer? {
        if case .closed(let reason) = state { throw reason }
        guard now - issued < Self.validMilliseconds else { throw close(.expired) }
        let keys = InvitationKeys(code, id: id, group: group)
        var found: InvitationAnswer?
        for bytes in answers {
            guard let opened = try? InvitationAnswer.open(bytes, keys, with: answerKey) else { continue }
            let answer = try opened.checked()
            switch state {
            case .open: state = .answered(opened.identity)
            case .answered(opened.identity): break
            case .answered: throw close(.twoAnswers)
            case .closed(let reason): throw reason
            }
            found = answer
        }
        return found
    }

    /// Ends it: when the machine that answered is let in, or the user refuses.
    package mutating func finish() { state = .closed(.used) }

    private mutating func close(_ reason: InvitationError) -> InvitationError {
        state = .closed(reason)
        return reason
    }
}
