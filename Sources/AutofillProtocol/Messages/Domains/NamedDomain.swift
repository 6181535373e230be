// SPDX-License-Identifier: Apache-2.0

/// A domain that an app's registration covers, by its name or as a service.
package enum NamedDomain: Message, Hashable, ExpressibleByStringLiteral {
    /// The domain, or `*.` and the domain of a wildcard.
    case name(String)
    case service(ServiceIdentifier)

    package init(stringLiteral name: String) { self = .name(name) }

    /// The domain, for display.
    package var text: String {
        switch self {
        case .name(let name): name
        case .service(let service): service.value
        }
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let name = try field(
            optional: "domain", { if case .name(let name) = $0 { name } else { nil } }, .string(1...2048),
            "A domain that the app's registration covers, or `*.` and the domain of one of its wildcards.")
        let service = try field(
            optional: "service", { if case .service(let service) = $0 { service } else { nil } }, .object(),
            "The domain as a service: of type `domain`, or `origin` with https.")
        return service.map(NamedDomain.service) ?? .name(name ?? "")
    }

    /// For the end of a call with a domain.
    static func rule(_ field: inout some FieldVisitor) throws(ProtocolProblem) {
        try field.rule(.one, of: ["domain", "service"], "a domain, or a service, one of them")
    }
}
