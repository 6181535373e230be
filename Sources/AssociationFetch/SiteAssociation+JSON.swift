// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
internal import AutofillProtocol

/// A file in which a site names its apps, below `/.well-known/`.
package enum AssociationFile: String, CaseIterable, Sendable {
    /// Apple's. `{"webcredentials": {"apps": ["linux.org.example.Shop"]}}`
    case apple = "apple-app-site-association"
    /// The Digital Asset Links statement list, with a target of our own:
    /// `[{"relation": ["delegate_permission/common.get_login_creds"],
    ///    "target": {"namespace": "linux_app", "bundle_id": "org.example.Shop"}}]`
    case statements = "assetlinks.json"

    private static let relation: StaticString = "delegate_permission/common.get_login_creds"
    private static let namespace: StaticString = "linux_app"

    /// Reads the bytes of the file strictly, with any content type.
    package func association(in bytes: [UInt8]) throws(SiteAssociationError) -> SiteAssociation {
        var outcome = Result<SiteAssociation, SiteAssociationError>.success(SiteAssociation())
        do throws(JSONError) {
            try bytes.withUnsafeBufferPointer { text throws(JSONError) in
                var scanner = JSONScanner()
                try scanner.scan(UnsafeRawBufferPointer(text)) { value throws(JSONError) in outcome = try read(value) }
            }
        } catch {
            throw .notJSON(error.problem.message, offset: error.offset)
        }
        return try outcome.get()
    }

    private func read(_ value: JSONValue) throws(JSONError) -> Result<SiteAssociation, SiteAssociationError> {
        Result { () throws(SiteAssociationError) in
            var association = SiteAssociation()
            switch self {
            case .apple: try Self.readApple(value, into: &association)
            case .statements: try Self.readStatements(value, into: &association)
            }
            return association
        }
    }

    private static func readApple(
        _ value: JSONValue, into association: inout SiteAssociation
    ) throws(SiteAssociationError) {
        guard value.kind == .object else { throw .wrongType("", wanted: "an object") }
        guard let service = try? value.member("webcredentials") else { throw .missing("webcredentials") }
        guard service.kind == .object else { throw .wrongType("webcredentials", wanted: "an object") }
        guard let apps = try? service.member("apps") else { throw .missing("webcredentials.apps") }
        guard let entries = try? apps.elements() else { throw .wrongType("webcredentials.apps", wanted: "an array") }
        for entry in entries {
            guard let text = try? entry.string() else {
                throw .wrongType("webcredentials.apps", wanted: "an array of strings")
            }
            try association.add(appleEntry: text)
        }
    }

    /// Statements of other relations and namespaces are ignored; a statement about a Linux app must be complete.
    private static func readStatements(
        _ value: JSONValue, into association: inout SiteAssociation
    ) throws(SiteAssociationError) {
        guard let statements = try? value.elements() else { throw .wrongType("", wanted: "an array of statements") }
        for statement in statements {
            guard statement.kind == .object else { throw .wrongType("", wanted: "an array of statements") }
            guard let target = try? statement.member("target"), let space = try? target.member("namespace"),
                space.matches(namespace)
            else { continue }
            guard let relations = try? statement.member("relation")?.elements() else {
                throw .wrongType("relation", wanted: "an array of strings")
            }
            guard relations.contains(where: { $0.matches(relation) }) else { continue }
            guard let name = try? target.member("bundle_id") else { throw .missing("target.bundle_id") }
            guard let text = try? name.string() else { throw .wrongType("target.bundle_id", wanted: "a string") }
            try association.add(text)
        }
    }
}
