// SPDX-License-Identifier: Apache-2.0

package struct ImportAdd: MethodCall {
    package static let declaration = MethodDeclaration(
        .importAdd, "Adds entries to the import that this connection has begun. Nothing is saved yet.", .administer,
        vault: .open, repeatable: false)
    package let entries: [ImportedEntry]

    package init(entries: [ImportedEntry]) { self.entries = entries }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            entries: try field("entries", \.entries, .objects(limit: Limits.listLimit), "The entries."))
    }

    package struct Answer: Message, Hashable {
        package let count: Int

        package init(count: Int) { self.count = count }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                count: try field("count", \.count, .integer(0...Int.max), "How many entries the import has now."))
        }
    }
}
