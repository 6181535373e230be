// SPDX-License-Identifier: Apache-2.0

package struct ImportReview: MethodCall {
    package static let declaration = MethodDeclaration(
        .importReview, "Compares the entries of this connection's import with the vault. Nothing is saved.",
        .administer, vault: .open, repeatable: true)
    package let page: PageRequest

    package init(page: PageRequest = PageRequest()) { self.page = page }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(page: try field(\.page))
    }

    package struct Answer: Message, Hashable {
        package let new: Int
        package let identical: Int
        package let conflicts: Int
        package let passkeys: Int
        package let findings: [ImportFinding]
        package let next: String?

        package init(
            new: Int, identical: Int, conflicts: Int, passkeys: Int, findings: [ImportFinding], next: String?
        ) {
            (self.new, self.identical, self.conflicts) = (new, identical, conflicts)
            (self.passkeys, self.findings, self.next) = (passkeys, findings, next)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                new: try field("new", \.new, .integer(0...Int.max), "Entries that are saved for no site and user yet."),
                identical: try field(
                    "identical", \.identical, .integer(0...Int.max), "Entries that add nothing to what is saved."),
                conflicts: try field(
                    "conflicts", \.conflicts, .integer(0...Int.max),
                    "Entries whose site and user are saved with something else."),
                passkeys: try field(
                    "passkeys", \.passkeys, .integer(0...Int.max),
                    "Passkeys, which are kept for an export and not used."),
                findings: try field(
                    "findings", \.findings, .objects(), "The conflicts, then what does not fit in a credential."),
                next: try field.next(\.next))
        }
    }
}

/// An entry of an import that is in conflict, or of which something does not fit in a credential.
package struct ImportFinding: Message, Hashable {
    package let entry: Int
    package let line: Int?
    package let title: String
    package let user: String
    package let service: ServiceIdentifier?
    package let outcome: String
    package let component: String?
    package let changed: String?
    package let saved: String?

    package init(
        entry: Int, line: Int?, title: String, user: String, service: ServiceIdentifier?, outcome: String,
        component: String?, changed: String?, saved: String?
    ) {
        (self.entry, self.line, self.title, self.user, self.service) = (entry, line, title, user, service)
        (self.outcome, self.component, self.changed, self.saved) = (outcome, component, changed, saved)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            entry: try field("entry", \.entry, .integer(1...Int.max), "The number of the entry, from 1."),
            line: try field(optional: "line", \.line, .integer(1...Int.max), "Its line in the file."),
            title: try field("title", \.title, .string(0...Limits.credentialLabelBytes), "Its title."),
            user: try field("user", \.user, .string(0...Limits.userBytes), "Its user name."),
            service: try field(optional: "service", \.service, .object(), "Its first service."),
            outcome: try field("outcome", \.outcome, .word(Words.importOutcomes), "What becomes of it."),
            component: try field(
                optional: "component", \.component, .word(Words.importComponents), "What of it; absent for a conflict."),
            changed: try field(
                optional: "changed", \.changed, .instant, "When the entry was changed, if the file has that."),
            saved: try field(
                optional: "saved", \.saved, .instant,
                "When the saved credential was changed; absent for a conflict with an earlier entry."))
    }
}
