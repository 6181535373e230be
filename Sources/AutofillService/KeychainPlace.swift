// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import Reasons

/// Where keychain items and verifiers are: an access group that the caller reaches, and a service in it.
struct KeychainPlace {
    let group: String
    let service: String

    /// What a grant is for, and a release is recorded under.
    var granted: Service { Service(kind: .keychain, value: "\(group)/\(service)") }
}

extension Service {
    /// What a grant or a refusal names: `shop.example.com`, or `GROUP/SERVICE`. No domain has a slash, and no group.
    init(named name: String) { self.init(kind: name.contains("/") ? .keychain : .domain, value: name) }
}

/// Who reaches which place, and when the person is asked.
extension AutofillBroker {
    /// The place of a request. An app reaches its own group and those of its registration; proof reaches all.
    func place(
        _ group: String?, _ service: String, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> KeychainPlace {
        KeychainPlace(group: try accessGroup(group, client, isProven), service: service)
    }

    func accessGroup(
        _ group: String?, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> String {
        if isProven {
            guard let group else { throw .invalid("accessGroup", "an access group: with proof there is no own one") }
            do throws(BundleIdentifierError) {
                return try BundleIdentifier(group).text
            } catch {
                throw .invalid("accessGroup", "\(error.reason) \(error.fix)")
            }
        }
        try examine(client, .unnamed, for: .keychainItem)
        guard let app = client.app, let registration = registration(of: client) else {
            throw RefusedRequest(.internalFault)
        }
        guard let group else { return app.bundleID.text }
        guard let own = registration.accessGroups.first(where: { $0.text.utf8.elementsEqual(group.utf8) }) else {
            throw RefusedRequest(.accessGroupNotEntitled, [.app: app.bundleID.text, .group: group])
        }
        return own.text
    }

    /// Whether the caller may have, or change, what `writer` wrote: its own freely, another's by the person's word. nil is
    /// one whose writer was not kept.
    func authorise(
        _ client: Client, toReach place: KeychainPlace, writtenBy writer: Subject?, _ interaction: Interaction,
        _ isProven: Bool
    ) throws(RefusedRequest) -> Authorisation {
        if isProven { return .granted(nil) }
        if let writer, try subject(of: client).isAtLeast(writer) { return .ownOnly }
        if let decided = decided(client, place.granted) { return .granted(decided) }
        if let grant = try standing(client, place.granted) { return .granted(grant) }
        return .granted(try ask(client, place.granted, interaction))
    }

    /// Whether there is room for another item or verifier.
    func checkRoom(_ count: Int?) throws(RefusedRequest) {
        guard count ?? 0 < Limits.items else { throw RefusedRequest(.tooManyItems) }
    }
}
