// SPDX-License-Identifier: Apache-2.0

/// What the daemon asks `autofill-associations`, one object a line.
package struct AssociationQuery: WireValue, Hashable {
    package enum Mode: String, Sendable {
        /// As for everybody.
        case standard
        /// A test authority may stand for the site: `?mode=developer`.
        case developer
    }

    /// Bytes of one line at most.
    package static let lineBytes = 1024

    /// In canonical form.
    package let domain: String
    package let mode: Mode

    package init(domain: String, mode: Mode) {
        self.domain = domain
        self.mode = mode
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        domain = try members.string("domain", bytes: 1...253)
        mode = try members.choice("mode")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("domain", domain)
        writer.member("mode", mode.rawValue)
    }
}
