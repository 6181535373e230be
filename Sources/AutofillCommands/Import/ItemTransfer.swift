// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Reasons
import SecretMemory

/// Saves items of another keyring in the vault, and creates the grants that the user has confirmed. Items that the
/// vault already has are left unchanged, so that an interrupted transfer can be repeated.
struct ItemTransfer {
    private static let group = SecretServiceNames.bus

    private let session: AutofillSession
    private var proof: Proof
    private var present: [Location: [KeychainSearch.FoundItem]] = [:]
    private(set) var saved = 0
    /// Items that were already saved with the same secret.
    private(set) var unchanged = 0
    /// Items that an app has changed in the vault since.
    private(set) var changed = 0
    private(set) var granted = 0
    /// The failures for single items or programs, each listed once.
    private(set) var problems: [CommandFailure.Problem] = []

    private struct Location: Hashable {
        let attributes: [String: String]
        let label: String
    }

    /// Reads the items of the vault.
    init(_ session: AutofillSession, proof: Proof) async throws(CommandFailure) {
        (self.session, self.proof) = (session, proof)
        let found = try await PageRequest.all { page async throws(CommandFailure) in
            let answer = try await session.call(KeychainSearch(accessGroup: Self.group, page: page, proof: self.proof))
            return (answer.items, answer.next)
        }
        for item in found {
            let location = Location(attributes: item.details.attributes ?? [:], label: item.details.label ?? "")
            present[location, default: []].append(item)
        }
        // Half a second for each request with a passphrase; a typed one stays valid at the terminal.
        if case .typedPassphrase = proof, try await session.call(Status()).daemon?.terminalProofSeconds != nil {
            self.proof = .terminal
        }
    }

    /// Saves an item, unless it is already saved, and creates its grants.
    mutating func add(_ item: KeyringItem, for readers: [ItemReader]) async throws(CommandFailure) {
        if let obstacle = item.obstacle {
            let name = item.label.isEmpty ? "An item without a label" : "“\(item.label.printable)”"
            problems.append(.init(code: nil, message: "\(name) was not saved: \(obstacle)", fix: nil))
            return
        }
        let id = try await save(item)
        for reader in readers { if let grantee = reader.grantee { try await grant(id, to: grantee, reader.name) } }
    }

    /// - Returns: the item's id in the vault.
    private mutating func save(_ item: KeyringItem) async throws(CommandFailure) -> String {
        let location = Location(attributes: item.keptAttributes, label: item.label)
        let times = item.times
        let others = present[location] ?? []
        for other in others {
            let stored = try await session.call(KeychainGet(.id(other.item), proof: proof))
            if stored.data.equals(item.secret) {
                unchanged += 1
                return other.item
            }
        }
        // The creation time identifies the item, because no app can set it for its own; the times have one format, and
        // sort as text.
        if let (made, last) = times.created.flatMap({ made in times.modified.map { (made, $0) } }),
            let same = others.first(where: { $0.created == made && $0.modified ?? "" > last })
        {
            changed += 1
            return same.item
        }
        let answer = try await session.call(
            KeychainSet(
                .attributes(accessGroup: Self.group),
                details: ItemDetails(
                    attributes: location.attributes, label: item.label, contentType: item.contentType,
                    collection: SecretServiceNames.login), data: item.secret, times: times, proof: proof))
        saved += 1
        return answer.item
    }

    private mutating func grant(
        _ id: String, to grantee: GrantAllow.Grantee, _ name: String
    ) async throws(CommandFailure) {
        let target = GrantTarget.keychain(.item(id, accessGroup: Self.group))
        do throws(CommandFailure) {
            if try await session.call(GrantAllow(grantee, target, proof: proof)).changed { granted += 1 }
        } catch {
            guard error.status == .usage || error.problems.first?.code == Reason.appNotInstalled.rawValue else {
                throw error
            }
            let problem = CommandFailure.Problem(
                code: error.problems.first?.code, message: "\(name.printable) received no grant, and will prompt",
                fix: error.problems.first?.fix)
            if !problems.contains(problem) { problems.append(problem) }
        }
    }
}
