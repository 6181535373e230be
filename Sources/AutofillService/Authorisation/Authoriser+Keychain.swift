// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import Credentials
internal import Reasons

/// What of the keychain an app reaches.
extension Authoriser {
    /// The place of a request. An app reaches its own group and those of its registration; proof reaches all.
    func place(
        _ group: String?, _ service: String, _ request: RequestContext
    ) throws(RefusedRequest) -> KeychainPlace {
        KeychainPlace(group: try accessGroup(group, request), service: service)
    }

    /// All groups that an app reaches, its own first.
    func accessGroups(_ request: RequestContext) throws(RefusedRequest) -> [String] {
        let own = try accessGroup(nil, request)
        if request.session.isOfSecretService { return [own] }
        let registered = apps.registration(of: request.session)?.accessGroups.map(\.text) ?? []
        return [own] + registered.filter { !$0.utf8.elementsEqual(own.utf8) }
    }

    /// Whether the person has said that the caller may have what another program wrote, or there is nothing to be said.
    func mayRead(_ item: Item, _ request: RequestContext) throws(RefusedRequest) -> Bool {
        try reach(of: item, request) != .withheld
    }

    /// How far a caller comes with an item before anybody is asked.
    enum Reach {
        case withheld
        /// By proof, by the person's word, or since this connection made it.
        case allowed
        /// As what it has kept itself: where any program can pass for it, by the person's word on that.
        case own
    }

    func reach(of item: Item, _ request: RequestContext) throws(RefusedRequest) -> Reach {
        let session = request.session
        if request.isProven || session.hasMade(item) { return .allowed }
        if item.isOfSecretService { return try reach(ofSecret: item, session) }
        if let writer = item.writer, try session.subject().isAtLeast(writer) { return .own }
        let place = KeychainPlace(item).granted
        if session.memory.itemWords.contains(item.id) || decided(session, place) != nil { return .allowed }
        return try remembered(session, place)?.decision == .allow && !settings.asksEveryTime ? .allowed : .withheld
    }

    func accessGroup(_ group: String?, _ request: RequestContext) throws(RefusedRequest) -> String {
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
        try examine(request, .unnamed, for: .keychainItem)
        guard let app = request.session.app, let registration = apps.registration(of: request.session) else {
            throw RefusedRequest(.internalFault)
        }
        if app.named != nil {
            if group != nil { try refusePlaces(request, "accessGroup") }
            return Item.secretServiceGroup
        }
        guard let group else { return app.bundleID.text }
        guard let own = registration.accessGroups.first(where: { $0.text.utf8.elementsEqual(group.utf8) }) else {
            throw RefusedRequest(.accessGroupNotEntitled, [.app: app.bundleID.text, .group: group])
        }
        return own.text
    }

    /// Whether the caller may have, or change, what `writer` wrote: its own freely, another's by the person's word. nil is
    /// one whose writer was not kept.
    ///
    /// - Parameters:
    ///   - isMade: whether this connection made it, as it is.
    ///   - name: what a prompt says of it besides; no refusal has that.
    func authorise(
        _ request: RequestContext, toReach place: KeychainPlace, writtenBy writer: Subject?, isMade: Bool,
        shownAs name: String = ""
    ) throws(RefusedRequest) -> Authorisation {
        if request.isProven { return .granted(nil) }
        if isMade { return .ownOnly }
        if let writer, try request.session.subject().isAtLeast(writer) {
            try requireOwnWord(request)
            return .ownOnly
        }
        if let decided = decided(request.session, place.granted) { return .granted(decided) }
        if let grant = try standing(request.session, place.granted) { return .granted(grant) }
        return .granted(try ask(request, place.granted, detail: name))
    }
}
