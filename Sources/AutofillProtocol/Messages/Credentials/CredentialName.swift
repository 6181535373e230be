// SPDX-License-Identifier: Apache-2.0

/// The credential of a call: by its id, or by its service and user name.
package struct CredentialName: Message, Hashable {
    package let id: String?
    /// As a list has it: how it matches does not count.
    private let saved: SavedService?
    package let user: String?

    private init(_ id: String?, _ saved: SavedService?, _ user: String?) {
        (self.id, self.saved, self.user) = (id, saved, user)
    }

    package var service: ServiceIdentifier? { saved?.service }

    package static func id(_ id: String) -> Self { Self(id, nil, nil) }

    /// - Parameter user: nil only where a call has a meaning for that.
    package static func saved(for service: ServiceIdentifier, user: String?) -> Self {
        Self(nil, SavedService(service), user)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            try field(optional: "credential", \.id, .id, "The credential's id."),
            try field(
                optional: "service", \.saved, .object(), "Instead of the id: the site, or one of a list's `services`."),
            try field(
                optional: "user", \.user, .string(1...Limits.userBytes), "Beside the site: the user name."))
    }

    /// For the end of a call with a name.
    func rule(_ field: inout some FieldVisitor) throws(ProtocolProblem) {
        let ids = id == nil ? 0 : 1
        try field.rule(
            .one, of: ["credential", "service"], found: ids + (saved == nil ? 0 : 1),
            "the credential's id, or service and user")
        try field.rule(
            .atMostOne, of: ["credential", "user"], found: ids + (user == nil ? 0 : 1),
            "nothing beside a credential's id")
    }

    /// The same, for one that needs a user.
    func ruleWithUser(_ field: inout some FieldVisitor) throws(ProtocolProblem) {
        try rule(&field)
        if field.isReading, id == nil, user == nil { throw field.missing("user", "the user name") }
    }
}
