// SPDX-License-Identifier: Apache-2.0

/// Where the user sees what a request is for: the parameter `context` of every call that may prompt.
package struct PageContext: Message, Hashable {
    package let page: ServiceIdentifier?
    package let topOrigin: ServiceIdentifier?
    package let parentWindow: String?
    package let evidence: String?

    package init(
        page: ServiceIdentifier? = nil, topOrigin: ServiceIdentifier? = nil, parentWindow: String? = nil,
        evidence: String? = nil
    ) {
        (self.page, self.topOrigin, self.parentWindow) = (page, topOrigin, parentWindow)
        self.evidence = evidence
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            page: try field(
                optional: "page", \.page, .object(),
                "Where an id names what is filled or read: its site. A browser always sends it; what is not the site's is not found."
            ),
            topOrigin: try field(
                optional: "topOrigin", \.topOrigin, .object(),
                "For a browser: the origin of the whole page, if the service is that of a frame in it."),
            parentWindow: try field(
                optional: "parentWindow", \.parentWindow, .string(1...Limits.parentWindowBytes),
                "The window that a prompt belongs to, `x11:…` or `wayland:…`; other values are ignored."),
            evidence: try field(
                optional: "evidence", \.evidence, .string(1...Limits.delegateEvidenceBytes),
                "What a released secret is for, as the caller states it: recorded with the release, and never identity."
            ))
    }
}

extension MethodCall {
    /// The member of a call's parameters beside its own fields.
    package static var contextSchema: MemberSchema? {
        guard acceptsContext else { return nil }
        return MemberSchema(
            "context", .object(PageContext.schema()), .optional,
            "The page, and the window that a prompt belongs to.")
    }
}
