// SPDX-License-Identifier: Apache-2.0

/// A verifier was kept.
package struct VerifierSaved: WireValue, Hashable {
    package let verifier: String
    package let changed: Bool

    package init(verifier: String, changed: Bool) {
        self.verifier = verifier
        self.changed = changed
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        verifier = try members.string("verifier", bytes: 1...64)
        changed = try members.bool("changed")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("verifier", verifier)
        writer.member("changed", changed)
    }
}
