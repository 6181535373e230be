// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Prompting
internal import Reasons

/// Keychain items and verifiers: the app's own and its groups', or with proof everyone's.
///
/// In a group that an app is entitled to it is no secret that an item is there; what it holds, and changing it, is for the
/// program that wrote it, and for others by the person's word.
extension Modules {
    func item(_ place: KeychainPlace, _ account: String) throws(RefusedRequest) -> Item? {
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in
            try open.item(accessGroup: place.group, service: place.service, account: account)
        }
    }

    func verifier(_ place: KeychainPlace, _ account: String) throws(RefusedRequest) -> Verifier? {
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in
            try open.verifier(accessGroup: place.group, service: place.service, account: account)
        }
    }

    /// Whether there is room for another item or verifier, of which there are so many.
    func requireItemRoom(_ count: Int?, _ request: RequestContext) throws(RefusedRequest) {
        guard count ?? 0 < Limits.items, request.isProven || offers.admitsItem(madeBy: request.session.account) else {
            throw RefusedRequest(.tooManyItems)
        }
    }

    /// Whether a verifier may be made here, or take the place of the one that is there; the version of that, or 0.
    func authorise(
        _ request: RequestContext, toReplaceVerifierOf account: String, at place: KeychainPlace
    ) throws(RefusedRequest) -> UInt64 {
        guard let old = try verifier(place, account) else {
            try requireItemRoom(try vault.unlocked().counts?.verifiers, request)
            return 0
        }
        _ = try authoriser.authorise(
            request, toReach: place, writtenBy: old.writer, isMade: request.session.memory.ownership.hasMade(old.id))
        return old.version
    }

    /// Keeps a new hash; the failures before it do not count any more.
    ///
    /// - Parameter version: of the verifier whose place it takes, 0 for none: another one is not replaced.
    func keep(
        _ hash: PasswordHash, for account: String, at place: KeychainPlace, _ writer: Subject,
        ifVersion version: UInt64? = nil
    ) throws(RefusedRequest) -> Saved {
        var entropy = surroundings.entropy
        let now = clock.now
        let verifier = Verifier(
            id: .random(.verifier, using: &entropy), accessGroup: place.group, service: place.service,
            account: account, hash: hash.phc, created: now, changed: now, writer: writer)
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in try open.put(verifier, ifVersion: version) }
    }
}

extension Session {
    /// Whether it made the item, or changed it to what it is.
    func hasMade(_ item: Item) -> Bool { memory.ownership.hasMade(item.id, item.version) }
}

/// Where a keychain item is, as a prompt names it.
func shownItem(_ group: String?, _ service: String, _ account: String?) -> String {
    shown([group, service, account].compactMap(\.self).joined(separator: " / "))
}

extension KeychainItemSummary {
    init(_ item: Item) {
        self.init(
            item: item.id.description, accessGroup: item.accessGroup, service: item.service, account: item.account,
            version: Int(clamping: item.version), created: item.created.description, changed: item.changed.description)
    }
}
