// SPDX-License-Identifier: Apache-2.0

/// The page of a browser and its window: for the prompt that a request may need.
package struct PageContext: Message, Hashable {
    package let topOrigin: String?
    package let parentWindow: String?

    package init(topOrigin: String? = nil, parentWindow: String? = nil) {
        (self.topOrigin, self.parentWindow) = (topOrigin, parentWindow)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            topOrigin: try field(
                optional: "topOrigin", \.topOrigin, .string(1...2048),
                "For a browser: the origin of the whole page, if the service is that of a frame in it."),
            parentWindow: try field(
                optional: "parentWindow", \.parentWindow, .string(1...Limits.parentWindowBytes),
                "The window that a prompt belongs to, `x11:…` or `wayland:…`; other values are ignored."))
    }
}

/// A call that a browser makes for a page.
package protocol PageBoundCall: MethodCall {
    var context: PageContext { get }
}

extension PageBoundCall {
    package var boundPage: PageContext? { context }
}
