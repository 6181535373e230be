// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import ConfigurationFiles
package import Credentials
internal import Reasons

/// Which keychain items and verifiers an app may access.
package struct KeychainAccess {
    let access: Access

    package init(_ access: Access) { self.access = access }

    /// How far a client may access an item before anybody is asked.
    package enum ItemAccess {
        case withheld
        /// By proof, by the user's consent, or since this connection made it.
        case allowed
        /// As its own from before: where any program can pass for the app, by the user's consent to that.
        case own
    }

    /// Requires that the app may use the keychain at all.
    package func requireKeychain(_ request: RequestView) throws(Unsettled) {
        try access.examine(.unnamed, for: .keychainItem, request)
    }

    // MARK: - Groups

    /// The place of a request. An app may access its own group and those of its registration; proof gives access to all.
    package func place(
        _ group: String?, _ service: String, _ request: RequestView
    ) throws(Unsettled) -> KeychainPlace { KeychainPlace(group: try self.group(group, request), service: service) }

    /// All groups that an app may access, its own first.
    package func groups(_ request: RequestView) throws(Unsettled) -> [String] {
        let own = try group(nil, request)
        if request.isOfSecretService { return [own] }
        let registered = access.apps.registration(of: request.app)?.accessGroups.map(\.text) ?? []
        return [own] + registered.filter { !$0.utf8.elementsEqual(own.utf8) }
    }

    package func group(_ group: String?, _ request: RequestView) throws(Unsettled) -> String {
        if request.isProven {
            guard let group else {
                throw .invalid(
                    "accessGroup",
                    because: "The parameter is missing, and a request with proof has no access group of its own.",
                    fix: "Add \"accessGroup\": the access group of what the request is about.")
            }
            do throws(BundleIdentifierError) {
                return try BundleIdentifier(group, allowingReserved: group == Item.secretServiceGroup).text
            } catch {
                throw .invalid("accessGroup", because: error.reason, fix: error.fix)
            }
        }
        try requireKeychain(request)
        guard let app = request.app, let registration = access.apps.registration(of: app) else {
            throw Unsettled(.internalFault)
        }
        if app.named != nil {
            if group != nil { try refusePlaces(request, "accessGroup") }
            return Item.secretServiceGroup
        }
        guard let group else { return app.bundleID.text }
        guard let own = registration.accessGroups.first(where: { $0.text.utf8.elementsEqual(group.utf8) }) else {
            throw Unsettled(.accessGroupNotEntitled, [.app: app.bundleID.text, .group: group])
        }
        return own.text
    }

    /// A program that asks through Secret Service names items by id and attributes only: places are of all the group.
    package func refusePlaces(_ request: RequestView, _ member: String) throws(Unsettled) {
        guard !request.isProven, request.isOfSecretService else { return }
        throw .invalid(member, "nothing through Secret Service: items are named by id and attributes")
    }

    // MARK: - Items

    /// Whether the client may have, or change, the item: its own freely, another's by the user's consent.
    package func toAccess(_ item: Sealed<Item>, _ request: RequestView) throws(Unsettled) -> Permit {
        let place = KeychainPlace(item)
        let authorisation: Authorisation =
            if item.record.isOfSecretService {
                try authorise(secret: item, request)
            } else if try request.isAllowed(item.id) {
                .granted(nil)
            } else {
                try authorise(
                    place, writtenBy: item.writer, isMade: request.hasMade(item.id, item.version), request,
                    called: item.heading, shownAs: item.place == nil ? "It is called \(item.heading)." : "")
            }
        return Permit(place.granted, authorisation)
    }

    /// The same for what `writer` wrote at a place; nil is one whose writer was not kept.
    ///
    /// - Parameter isMade: whether this connection made it, as it is.
    package func toAccess(
        _ place: KeychainPlace, writtenBy writer: Subject?, isMade: Bool, _ request: RequestView
    ) throws(Unsettled) -> Permit {
        try Permit(
            place.granted, authorise(place, writtenBy: writer, isMade: isMade, request, called: place.service))
    }

    /// - Parameters:
    ///   - heading: what it is called, for a prompt about the app's own.
    ///   - name: what a prompt shows of it besides; no refusal has that.
    private func authorise(
        _ place: KeychainPlace, writtenBy writer: Subject?, isMade: Bool, _ request: RequestView,
        called heading: String, shownAs name: String = ""
    ) throws(Unsettled) -> Authorisation {
        if request.isProven { return .granted(nil) }
        if isMade { return .ownOnly }
        if let writer {
            let subject = try request.subject()
            if subject.isAtLeast(writer) {
                try access.requireOwnDataConsent(request, to: [heading])
                return .ownOnly
            }
            if subject.isLaterLogin(of: writer), try access.hasOwnDataConsent(request) { return .ownOnly }
        }
        if let decided = access.grants.decided(place.granted, request) { return .granted(decided) }
        if let grant = try access.grants.allowing(place.granted, request) { return .granted(grant) }
        return .granted(try access.ask(place.granted, request, detail: name))
    }

    /// Whether the user has decided that the client may have what another program wrote, or there is nothing to decide.
    package func mayRead(_ item: Sealed<Item>, _ request: RequestView) throws(Unsettled) -> Bool {
        try itemAccess(item, request) != .withheld
    }

    package func itemAccess(_ item: Sealed<Item>, _ request: RequestView) throws(Unsettled) -> ItemAccess {
        if request.isProven || request.hasMade(item.id, item.version) { return .allowed }
        if item.record.isOfSecretService { return try itemAccess(secret: item, request) }
        if let writer = item.writer, try request.subject().isAtLeast(writer) { return .own }
        let place = KeychainPlace(item).granted
        if try request.isAllowed(item.id) { return .allowed }
        if access.grants.decided(place, request) != nil { return .allowed }
        let isAllowed = try access.grants.remembered(place, request)?.decision == .allow
        return isAllowed && !access.settings.asksEveryTime ? .allowed : .withheld
    }

    package func requireOwnDataConsent(_ request: RequestView, to names: [String]) throws(Unsettled) {
        try access.requireOwnDataConsent(request, to: names)
    }

    package func hasOwnDataConsent(_ request: RequestView) throws(Unsettled) -> Bool {
        try access.hasOwnDataConsent(request)
    }
}
