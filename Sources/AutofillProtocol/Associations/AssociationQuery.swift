// SPDX-License-Identifier: Apache-2.0

/// What the daemon asks `autofill-associations`, one object a line.
package struct AssociationQuery: Message, Hashable {
    package enum Mode: String, CaseIterable, Sendable {
        /// As for everybody.
        case standard
        /// A test certificate authority is accepted for the site: `?mode=developer`.
        case developer
    }

    /// Bytes of one line at most.
    package static let lineBytes = 1024

    package let domain: String
    package let mode: Mode

    package init(domain: String, mode: Mode) {
        (self.domain, self.mode) = (domain, mode)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            domain: try field("domain", \.domain, .string(1...253), "In canonical form."),
            mode: try field("mode", \.mode, .choice(), "Whether a test certificate authority is accepted for the site.")
        )
    }
}
