// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// The methods `keychain.*`.
struct KeychainMethods: MethodArea {
    let views: KeychainViews
    private let vault: VaultKeeper
    private let quotas: Quotas
    private let audit: Audit

    init(_ items: ItemReader, _ access: KeychainAccess, _ vault: VaultKeeper, _ quotas: Quotas, _ audit: Audit) {
        views = KeychainViews(items: items, access: access, quotas: QuotaReader(quotas))
        self.vault = vault
        self.quotas = quotas
        self.audit = audit
    }

    func effects(for request: RequestContext) -> KeychainEffects {
        KeychainEffects(items: ItemWriter(vault, quotas, request), releases: ReleaseLog(audit, request))
    }
}

struct KeychainViews {
    let items: ItemReader
    let access: KeychainAccess
    let quotas: QuotaReader
}

struct KeychainEffects {
    let items: ItemWriter
    let releases: ReleaseLog
}

/// In a group that an app is entitled to it is no secret that an item is there; what it holds, and changing it, is for the
/// program that wrote it, and for others by the user's consent.
extension KeychainViews {
    /// The item that a request names; nil where there is none in the groups that it may access.
    func item(_ name: ItemName, _ request: RequestView) throws(Unsettled) -> Sealed<Item>? {
        if let place = name.place {
            try access.refusePlaces(request, "place")
            return try items.item(access.place(name.accessGroup, place.namespace, request), place.account)
        }
        if name.accessGroup != nil { throw .invalid("accessGroup", "nothing beside an item's id") }
        let groups = request.isProven ? nil : try access.groups(request)
        guard let item = try item(id: name.id),
            groups?.contains(where: { $0.utf8.elementsEqual(item.accessGroup.utf8) }) ?? true
        else { return nil }
        return item
    }

    private func item(id: String?) throws(Unsettled) -> Sealed<Item>? {
        try items.requireOpenVault()
        guard let id = id.flatMap({ ObjectID($0) }), id.kind == .item else { return nil }
        return try items.item(id)
    }

    /// The item that a request names, as a prompt names it.
    func shownItem(_ name: ItemName) throws(Unsettled) -> String {
        if let place = name.place { return shownPath([name.accessGroup, place.namespace, place.account]) }
        guard let item = try item(id: name.id) else { throw Unsettled(.itemNotFound) }
        return shownPath([item.accessGroup, item.heading, item.place?.account])
    }
}

extension KeychainItemSummary {
    init(_ item: Sealed<Item>) {
        var attributes: [String: String] = [:]
        for attribute in item.attributes { attributes[attribute.name] = attribute.value }
        self.init(
            item: item.id.description, accessGroup: item.accessGroup,
            place: item.place.map { PlaceName(namespace: $0.service, account: $0.account) },
            details: ItemDetails(
                attributes: attributes, label: item.label, contentType: item.contentType, collection: item.collection),
            version: wireVersion(item.version), created: item.created.description, modified: item.changed.description)
    }
}

extension VaultPage<Sealed<Item>, ObjectID> {
    /// A page of at most half of `Limits.unreadAnswerBytes`: what does not fit comes with the next one.
    func fitting() -> VaultPage {
        var sum = 0
        let fitting = elements.prefix { item in
            sum +=
                512
                + item.attributes.reduce(item.label?.utf8.count ?? 0) {
                    $0 + $1.name.utf8.count + $1.value.utf8.count
                }
            return sum <= Limits.unreadAnswerBytes / 2
        }
        return fitting.count == elements.count ? self : VaultPage(elements: Array(fitting), next: fitting.last?.id)
    }
}
