// SPDX-License-Identifier: Apache-2.0
package import CredentialStorage
package import Credentials
package import Reasons

/// Changes keychain items, with what follows from that: what the connection has made, quotas.
package struct ItemWriter {
    private let vault: VaultKeeper
    private let quotas: Quotas
    private let request: RequestContext

    package init(_ vault: VaultKeeper, _ quotas: Quotas, _ request: RequestContext) {
        (self.vault, self.quotas, self.request) = (vault, quotas, request)
    }

    /// - Parameter isOwn: whether the item is the connection's own afterwards.
    package func change(
        _ id: ObjectID, to draft: ItemDraft, ifVersion: UInt64?, isOwn: Bool
    ) throws(Refusal) -> Saved {
        let saved = try vault.write { writers, now throws(VaultError) in
            try writers.items.change(id, to: draft, ifVersion: ifVersion, at: now)
        }
        note(saved, isOwn: isOwn)
        return saved
    }

    /// - Parameters:
    ///   - created: when it was created; nil for now.
    ///   - modified: when it was changed last; nil for now.
    package func add(
        _ draft: ItemDraft, to group: String, at place: Item.Place?, ifVersion: UInt64?, created: Timestamp?,
        modified: Timestamp?
    ) throws(Refusal) -> Saved {
        let saved = try vault.write { writers, now throws(VaultError) in
            try writers.items.add(
                draft, accessGroup: group, place: place, ifVersion: ifVersion, at: modified ?? now, created: created)
        }
        note(saved, isOwn: true)
        return saved
    }

    /// - Parameter isOwn: whether the item was the connection's own, and stays it.
    package func move(
        _ id: ObjectID, to place: Item.Place, ifVersion: UInt64?, isOwn: Bool
    ) throws(Refusal) -> Saved {
        let saved = try vault.write { writers, now throws(VaultError) in
            try writers.items.move(id, to: place, ifVersion: ifVersion, at: now)
        }
        if isOwn { request.session.memory.ownership.noteMade(saved.id, saved.version) }
        return saved
    }

    package func delete(_ id: ObjectID, ifVersion: UInt64?) throws(Refusal) -> Bool {
        let isDeleted = try vault.write { writers, _ throws(VaultError) in
            try writers.items.delete(id, ifVersion: ifVersion)
        }
        quotas.items.forget(id)
        return isDeleted
    }

    /// Keeps the user's consent to items of other programs while the connection lasts.
    package func keepConsents() {
        guard let subject = request.session.app?.subject else { return }
        request.session.memory.consents.items.formUnion(request.consents.items(for: subject))
    }

    private func note(_ saved: Saved, isOwn: Bool) {
        guard !request.isProven else { return }
        if saved.isNew { quotas.items.note(saved.id, madeBy: request.session.quotaKey) }
        if isOwn { request.session.memory.ownership.noteMade(saved.id, saved.version) }
    }
}
