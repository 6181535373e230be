// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// What programs keep through Secret Service: items of one access group, each of them its writer's.
extension Authoriser {
    /// What an item is to a program that asks through Secret Service.
    private enum Standing {
        case own
        /// Everybody's, by the setting, or the person has allowed it on this connection.
        case open
        case granted(ObjectID)
        case others
    }

    /// Whether the item is the program's own: it wrote it, or one of its family did.
    ///
    /// A program that runs other people's programs is another subject after each login: what it kept before is its own by the
    /// person's word on its own data.
    func owns(_ item: Item, _ session: Session) throws(RefusedRequest) -> Bool {
        if session.hasMade(item) { return true }
        let subject = try session.subject()
        if let shared = session.app?.named?.shared, !shared.isEmpty, item.isOfFamily(shared) { return true }
        guard let writer = item.writer else { return false }
        if subject.isAtLeast(writer) { return true }
        return subject.app.utf8.elementsEqual(writer.app.utf8) && GrantSubject.isOfLogin(line: subject.executable)
            && GrantSubject.isOfLogin(line: writer.executable)
    }

    /// Whether an item that is another's was written by this very app, as a program that has changed since.
    func isFormer(_ item: Item, _ session: Session) -> Bool {
        guard let writer = item.writer, let app = session.app else { return false }
        return item.isOfSecretService && writer.app.utf8.elementsEqual(app.bundleID.text.utf8)
    }

    private func standing(of item: Item, _ session: Session) throws(RefusedRequest) -> Standing {
        if try owns(item, session) { return .own }
        if settings.effective.secretServiceIsolation == .none || session.memory.itemWords.contains(item.id) {
            return .open
        }
        let place = KeychainPlace(item).granted
        if let decided = decided(session, place) { return .granted(decided) }
        if let grant = try standing(session, place) { return .granted(grant) }
        guard let grant = try remembered(session, item.allOfOwner), !settings.asksEveryTime else { return .others }
        // Whose it is, a refusal does not say.
        guard grant.decision == .allow else {
            throw RefusedRequest(.grantDenied, [.app: grant.subject.app, .domain: place.asArgument])
        }
        session.memory.decisions.keep(grant.id, for: place, at: revision.number)
        return .granted(grant.id)
    }

    /// How far the program comes with an item before anybody is asked.
    func reach(ofSecret item: Item, _ session: Session) throws(RefusedRequest) -> Reach {
        do throws(RefusedRequest) {
            switch try standing(of: item, session) {
            case .own: return .own
            case .open, .granted: return .allowed
            case .others: return .withheld
            }
        } catch {
            guard case .refused(let refusals) = error, refusals.first?.reason == .grantDenied else { throw error }
            return .withheld
        }
    }

    /// Whether the person has said for good that the program may not have it.
    private func isDenied(_ item: Item, _ session: Session) throws(RefusedRequest) -> Bool {
        let grants = [
            try remembered(session, KeychainPlace(item).granted),
            item.isOfSecretService ? try remembered(session, item.allOfOwner) : nil,
        ]
        return grants.contains { $0?.decision == .deny }
    }

    /// Decides whether the program may have, or change, an item: its own freely, another's by the person's word.
    func authorise(
        _ request: RequestContext, toReachSecret item: Item
    ) throws(RefusedRequest) -> Authorisation {
        if request.isProven { return .granted(nil) }
        let session = request.session
        if session.hasMade(item) { return .ownOnly }
        let isFormer = isFormer(item, session)
        // What the person has just said to this request.
        for place in [KeychainPlace(item).granted, item.allOfOwner]
        where try request.isAllowed(.fill, place) {
            session.memory.itemWords.insert(item.id)
        }
        switch try standing(of: item, session) {
        case .own:
            try requireOwnWord(request)
            return .ownOnly
        case .open: return .granted(nil)
        case .granted(let grant): return .granted(grant)
        case .others:
            let label = PromptedItems.shown(item.heading)
            let detail = isFormer ? "Another version of it saved them." : "“\(label)”, saved by \(item.shownOwner)"
            return .granted(
                try ask(request, isFormer ? item.allOfOwner : KeychainPlace(item).granted, detail: detail))
        }
    }

    /// Throws what asks the person about items of other programs, in one question; returns where none of them is to be asked about.
    func requireWord(on items: [Item], _ request: RequestContext) throws(RefusedRequest) {
        let session = request.session
        var asked: [Item] = []
        for item in items where try !isDenied(item, session) { asked.append(item) }
        guard let first = asked.first else { return }
        var owners: [(place: Service, shown: String, items: [Item])] = []
        for item in asked {
            let place = item.isOfSecretService ? item.allOfOwner : KeychainPlace(item).granted
            if let known = owners.firstIndex(where: { $0.place == place }) {
                owners[known].items.append(item)
            } else {
                owners.append((place, item.shownOwner, [item]))
            }
        }
        // Of whom one item alone is asked for, that is what the yes is for.
        let grants = owners.map { $0.items.count > 1 ? $0.place : KeychainPlace($0.items[0]).granted }
        let question = PromptedItems(
            ids: asked.map(\.id), grants: grants, whole: owners.filter { $0.items.count > 1 }.map(\.shown),
            owners: owners.map(\.shown),
            labels: asked.prefix(Limits.promptedItems).map(\.heading))
        let service = Service(kind: .keychain, value: "\(first.accessGroup)/*")
        let names: [Refusal.Parameter: String] = [
            .app: try session.subject().app, .domain: service.asArgument,
        ]
        throw try asking(.read(question), request, service, unasked: Refusal(.grantMissing, names))
    }

    /// A program that asks through Secret Service names items by id and attributes only: places are of all the group.
    func refusePlaces(_ request: RequestContext, _ member: String) throws(RefusedRequest) {
        guard !request.isProven, request.session.isOfSecretService else { return }
        throw .invalid(member, "nothing through Secret Service: items are named by id and attributes")
    }
}

extension Session {
    /// Whether the bridge of Secret Service speaks for the app: then it reaches that group alone.
    var isOfSecretService: Bool { app?.named != nil }
}

extension Item {
    /// What a word on all that an item's owner keeps is for.
    var allOfOwner: Service {
        KeychainPlace(group: accessGroup, service: writer?.app ?? Self.imported).granted
    }

    /// The schema of items that have none of their own, as libsecret has it.
    static let genericSchema = Attribute(SecretServiceNames.schema, "org.freedesktop.Secret.Generic")

    /// What stands for the owner of what was taken over from another service.
    static let imported = "imported"

    /// Whether a family shares it: one of its programs wrote it, or none did (it was taken over). What another program keeps under
    /// the family's schema stays that program's, which would read what a member puts into it.
    ///
    /// - Parameter shared: by each schema the paths of the family's programs.
    fileprivate func isOfFamily(_ shared: [String: Set<String>]) -> Bool {
        guard let schema = attributes.first(where: { $0.hasName(SecretServiceNames.schema) })?.value,
            let programs = shared[schema]
        else { return false }
        guard let writer else { return true }
        return writer.installedProgram.map { programs.contains($0) } ?? false
    }

    /// Who saved it, as a prompt shows it.
    var shownOwner: String {
        guard let writer else { return "programs of before (\(Self.imported))" }
        return PromptedItems.shown(writer.program ?? writer.app)
    }
}

extension Subject {
    /// The path of the program that stands for it; nil where another thing does.
    fileprivate var program: String? {
        if let installedProgram { return installedProgram }
        guard line.hasPrefix("file:"), let end = line.lastIndex(of: "#") else { return nil }
        return String(line[..<end].dropFirst(5))
    }

    /// The same of a program that root alone can change.
    fileprivate var installedProgram: String? { line.hasPrefix("path:") ? String(line.dropFirst(5)) : nil }

    private var line: Substring {
        let own = executable.split(separator: " ", maxSplits: 1).last ?? executable[...]
        return executable.hasPrefix("via:") ? own : executable[...]
    }
}
