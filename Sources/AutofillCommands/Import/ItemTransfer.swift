// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Reasons
import SecretMemory

/// Saves items of another keyring in the vault, and makes the grants that the person has said yes to. What the vault has already is
/// left as it is, so that whatever ended it, it can be done again.
struct ItemTransfer {
    private static let group = SecretServiceNames.bus

    private let session: AutofillSession
    private var proof: Proof
    private var present: [Place: [KeychainSearch.FoundItem]] = [:]
    private(set) var saved = 0
    /// Those that were there with the same secret.
    private(set) var known = 0
    /// Those that an app has changed in the vault since.
    private(set) var changed = 0
    private(set) var granted = 0
    /// What could not be done for one item or program, each told once.
    private(set) var problems: [CommandFailure.Problem] = []

    private struct Place: Hashable {
        let attributes: [String: String]
        let label: String
    }

    /// Looks at what the vault has.
    init(_ session: AutofillSession, proof: Proof) async throws(CommandFailure) {
        (self.session, self.proof) = (session, proof)
        let found = try await PageRequest.all { page async throws(CommandFailure) in
            let answer = try await session.call(KeychainSearch(accessGroup: Self.group, page: page, proof: self.proof))
            return (answer.items, answer.next)
        }
        for item in found {
            let place = Place(attributes: item.details.attributes ?? [:], label: item.details.label ?? "")
            present[place, default: []].append(item)
        }
        // Half a second for each request with a passphrase; what was typed holds at the terminal.
        if case .typedPassphrase = proof, try await session.call(Status()).terminalProofSeconds != nil {
            self.proof = .terminal
        }
    }

    /// Saves an item, unless it is there, and grants it.
    mutating func take(_ item: KeyringItem, for readers: [ItemReader]) async throws(CommandFailure) {
        if let obstacle = item.obstacle {
            problems.append(.init(code: nil, message: "\(item.label.quotedLabel) was not saved: \(obstacle)", fix: nil))
            return
        }
        let id = try await save(item)
        for reader in readers { if let grantee = reader.grantee { try await grant(id, to: grantee, reader.name) } }
    }

    /// - Returns: the item's id in the vault.
    private mutating func save(_ item: KeyringItem) async throws(CommandFailure) -> String {
        let place = Place(attributes: item.keptAttributes, label: item.label)
        let times = item.times
        let others = present[place] ?? []
        for other in others {
            let stored = try await session.call(KeychainGet(.id(other.item), proof: proof))
            if stored.data.equals(item.secret) {
                known += 1
                return other.item
            }
        }
        // It is the very item by when it was made, which no app can say of its own; instants are of one form, and sort as times do.
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
                    attributes: place.attributes, label: item.label, contentType: item.contentType,
                    collection: SecretServiceNames.login), data: item.secret, times: times, proof: proof))
        saved += 1
        return answer.item
    }

    private mutating func grant(
        _ id: String, to grantee: GrantAllow.Grantee, _ name: String
    ) async throws(CommandFailure) {
        let service = ServiceIdentifier(type: "keychain", value: "\(Self.group)/\(id)")
        do throws(CommandFailure) {
            if try await session.call(GrantAllow(grantee, service: service, proof: proof)).changed { granted += 1 }
        } catch {
            guard error.status == .usage || error.problems.first?.code == Reason.appNotInstalled.rawValue else {
                throw error
            }
            let problem = CommandFailure.Problem(
                code: error.problems.first?.code, message: "\(name.printable) was granted nothing, and will ask",
                fix: error.problems.first?.fix)
            if !problems.contains(problem) { problems.append(problem) }
        }
    }
}

extension String {
    /// What people call an item, in a sentence.
    fileprivate var quotedLabel: String { isEmpty ? "An item without a label" : "“\(printable)”" }
}
