// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import SecretMemory

/// What a request has looked through of the vault so far, where a turn may not be enough for all of it.
struct Gathering<Element: Sendable, Cursor: Sendable> {
    var found: [Element] = []
    var cursor: Cursor?
    var isDone = false
}

/// The lists that requests look through.
enum GatheredList: Hashable {
    /// Items of Secret Service or of an app's group that have these attributes and no others.
    case items([String])
    /// Items that the request names.
    case namedItems
    /// The app's offers that wait, and all whose time has run out.
    case ownOffers, expiredOffers
}

extension Modules {
    /// All that a list of the vault has, page by page. Where a turn is not enough for it the request is judged anew in a later one, and
    /// goes on from there; what changed behind it meanwhile is as it was.
    func all<Element: Sendable, Cursor: Sendable>(
        _ list: GatheredList, _ request: RequestContext,
        _ page: (Cursor?) throws(RefusedRequest) -> VaultPage<Element, Cursor>
    ) throws(RefusedRequest) -> [Element] {
        let open = try vault.unlocked()
        var gathering =
            request.progress.gathered[list] as? Gathering<Element, Cursor> ?? Gathering<Element, Cursor>()
        if !gathering.isDone { open.keepQuarter() }
        while !gathering.isDone {
            let next = try page(gathering.cursor)
            gathering.found += next.elements
            (gathering.cursor, gathering.isDone) = (next.next, next.next == nil)
            request.progress.gathered[list] = gathering
            if !gathering.isDone, !open.mayOpenMore { throw .waits(on: .turn) }
        }
        return gathering.found
    }

    /// Items that were gathered, each as it is now, without their bytes.
    func current(_ items: [Item]) throws(RefusedRequest) -> [Item] {
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in
            try items.map { item throws(VaultError) in
                try open.version(of: item.id) == item.version ? item : try open.item(item.id)?.withoutData
            }
        }.compactMap(\.self)
    }
}

extension VaultPage<Item, ObjectID> {
    /// For what is kept longer than a turn.
    var withoutData: VaultPage { VaultPage(elements: elements.map(\.withoutData), next: next) }
}

extension Item {
    /// All but its bytes.
    var withoutData: Item {
        var item = self
        item.data = SecretBytes(count: 0) { _ in }
        return item
    }
}
