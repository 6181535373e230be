// SPDX-License-Identifier: Apache-2.0

/// What a grant is for: a site, or keychain items. On the wire one of the members `service` and `keychain`.
package enum GrantTarget: Message, Hashable {
    case service(ServiceIdentifier)
    case keychain(GrantedItems)

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let service = try field(optional: "service", \.service, .object(), "The site.")
        let items = try field(
            optional: "keychain", \.keychain, .grantableItems, "Instead of a site: keychain items.")
        return items.map(Self.keychain) ?? .service(service ?? ServiceIdentifier(type: "", value: ""))
    }

    package var service: ServiceIdentifier? { if case .service(let service) = self { service } else { nil } }
    package var keychain: GrantedItems? { if case .keychain(let items) = self { items } else { nil } }

    /// The site's name, or `GROUP/NAMESPACE`.
    package var text: String {
        switch self {
        case .service(let service): service.value
        case .keychain(let items): items.path
        }
    }

    /// For the end of a message with a target.
    static func rule(_ field: inout some FieldVisitor) throws(ProtocolProblem) {
        try field.rule(.one, of: ["service", "keychain"], "the site, or keychain items as keychain")
    }
}
