// SPDX-License-Identifier: Apache-2.0

package struct ExportRead: MethodCall {
    package static let declaration = MethodDeclaration(
        .exportRead, "Returns saved credentials with all their secrets, page by page. Each is a recorded release.",
        .administer, vault: .open, repeatable: true)
    package let page: PageRequest

    package init(page: PageRequest = PageRequest()) { self.page = page }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(page: try field(\.page))
    }

    package struct Answer: Message {
        package let entries: [ImportedEntry]
        package let next: String?

        package init(entries: [ImportedEntry], next: String?) { (self.entries, self.next) = (entries, next) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                entries: try field("entries", \.entries, .objects(), "The entries, as an import has them."),
                next: try field.next(\.next))
        }
    }
}
