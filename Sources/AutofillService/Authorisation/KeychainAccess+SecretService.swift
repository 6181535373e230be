// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
package import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// What programs keep through Secret Service: items of one access group, each of them its writer's.
extension KeychainAccess {
    /// What an item is to a program that asks through Secret Service.
    private enum Standing {
        case own
        /// Everybody's, by the setting, or the user has allowed it on this connection.
        case open
        case granted(ObjectID)
        case others
    }

    /// Whether the item is the program's own: it wrote it, or one of its family did.
    ///
    /// A program that runs other programs is another subject after each login: what it kept before is its own by the
    /// user's consent to its own data.
    package func owns(_ item: Sealed<Item>, _ request: RequestView) throws(Unsettled) -> Bool {
        if request.hasMade(item.id, item.version) { return true }
        let subject = try request.subject()
        if let shared = request.app?.named?.shared, !shared.isEmpty, item.record.isOfFamily(shared) { return true }
        guard let writer = item.writer else { return false }
        if subject.isAtLeast(writer) { return true }
        return subject.app.utf8.elementsEqual(writer.app.utf8) && GrantSubject.isOfLogin(line: subject.executable)
            && GrantSubject.isOfLogin(line: writer.executable)
    }

    /// Whether an item that is another's was written by this very app, as a program that has changed since.
    package func isFormer(_ item: Sealed<Item>, _ request: RequestView) -> Bool {
        guard let writer = item.writer, let app = request.app else { return false }
        return item.record.isOfSecretService && writer.app.utf8.elementsEqual(app.bundleID.text.utf8)
    }

    private func standing(of item: Sealed<Item>, _ request: RequestView) throws(Unsettled) -> Standing {
        if try owns(item, request) { return .own }
        if access.settings.effective.secretServiceIsolation == .none { return .open }
        if try request.isAllowed(item.id) { return .open }
        let place = KeychainPlace(item).granted
        // While no decision has changed.
        if let decided = access.grants.decided(place, request) { return .granted(decided) }
        let all = try access.grants.remembered(item.record.allOfOwner, request)
        // A no to all that the owner keeps holds for each, also for one that was allowed before. The refusal does not name its owner.
        if let all, all.decision == .deny {
            throw Unsettled(.grantDenied, [.app: all.subject.app, .domain: place.asArgument])
        }
        if let grant = try access.grants.allowing(place, request) { return .granted(grant) }
        guard let all, !access.settings.asksEveryTime else { return .others }
        return .granted(access.grants.keep(all, for: place, request))
    }

    func itemAccess(secret item: Sealed<Item>, _ request: RequestView) throws(Unsettled) -> ItemAccess {
        do throws(Unsettled) {
            switch try standing(of: item, request) {
            case .own: return .own
            case .open, .granted: return .allowed
            case .others: return .withheld
            }
        } catch {
            guard error.refusals?.first?.reason == .grantDenied else { throw error }
            return .withheld
        }
    }

    /// Whether the user has decided for good that the program may not have it.
    private func isDenied(_ item: Sealed<Item>, _ request: RequestView) throws(Unsettled) -> Bool {
        let grants = [
            try access.grants.remembered(KeychainPlace(item).granted, request),
            item.record.isOfSecretService ? try access.grants.remembered(item.record.allOfOwner, request) : nil,
        ]
        return grants.contains { $0?.decision == .deny }
    }

    func authorise(secret item: Sealed<Item>, _ request: RequestView) throws(Unsettled) -> Authorisation {
        if request.isProven { return .granted(nil) }
        if request.hasMade(item.id, item.version) { return .ownOnly }
        let isFormer = isFormer(item, request)
        // What the user has just allowed this request.
        let isAllowed = (
            item: try request.isAllowed(.fill, KeychainPlace(item).granted),
            all: try request.isAllowed(.fill, item.record.allOfOwner)
        )
        switch try standing(of: item, request) {
        case .own:
            try access.requireOwnDataConsent(request, to: [item.heading])
            return .ownOnly
        case .open: return .granted(nil)
        case .granted(let grant): return .granted(grant)
        case .others where isAllowed.item || isAllowed.all: return .granted(nil)
        case .others:
            let label = PromptedItems.shown(item.heading)
            let detail =
                isFormer ? "Another version of it saved them." : "“\(label)”, saved by \(item.record.shownOwner)"
            let asked = isFormer ? item.record.allOfOwner : KeychainPlace(item).granted
            return .granted(try access.ask(asked, request, item: item.id, detail: detail))
        }
    }

    /// Throws what asks the user about items of other programs, in one question; returns where none of them is to be asked about.
    package func requireConsent(to items: [Sealed<Item>], _ request: RequestView) throws(Unsettled) {
        var asked: [Item] = []
        for item in items where try !isDenied(item, request) { asked.append(item.record) }
        guard let first = asked.first else { return }
        var owners: [(place: Service, shown: String, items: [Item])] = []
        for item in asked {
            let place = item.isOfSecretService ? item.allOfOwner : KeychainPlace(Sealed(item)).granted
            if let index = owners.firstIndex(where: { $0.place == place }) {
                owners[index].items.append(item)
            } else {
                owners.append((place, item.shownOwner, [item]))
            }
        }
        // Where one item alone of an owner is asked for, the yes is for that.
        let grants = owners.map { $0.items.count > 1 ? $0.place : KeychainPlace(Sealed($0.items[0])).granted }
        let question = PromptedItems(
            ids: asked.map(\.id), grants: grants, whole: owners.filter { $0.items.count > 1 }.map(\.shown),
            owners: owners.map(\.shown),
            labels: asked.prefix(Limits.promptedItems).map(\.heading))
        let service = Service(kind: .keychain, value: "\(first.accessGroup)/*")
        let names: [Refusal.Parameter: String] = [.app: try request.subject().app, .domain: service.asArgument]
        throw try access.questions.asking(.read(question), request, service, unasked: Refusal(.grantMissing, names))
    }

    /// The app whose items alone are searched where no attributes are named: where items have an owner, and in a collection that the
    /// app has made, which is its own in any case; nil for all.
    package func searchedOwner(in collection: String?, _ request: RequestView) -> String? {
        let isMade = collection.map { $0 != SecretServiceNames.login } ?? false
        guard !request.isProven, request.isOfSecretService,
            isMade || access.settings.effective.secretServiceIsolation == .apps
        else { return nil }
        return request.bundleID?.text
    }
}

extension Item {
    /// The service of a grant for all items of the owner.
    var allOfOwner: Service {
        KeychainPlace(group: accessGroup, service: writer?.app ?? Self.imported).granted
    }

    /// The schema of items that have none of their own, as libsecret has it.
    package static let genericSchema = Attribute(SecretServiceNames.schema, "org.freedesktop.Secret.Generic")

    /// The owner that is recorded for what was imported from another service.
    static let imported = SecretServiceNames.imported

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
        installedProgram ?? path(after: "file:", isFollowedByHash: true)
    }

    /// The same of a program that root alone can change.
    fileprivate var installedProgram: String? { path(after: "path:", isFollowedByHash: false) }
}
