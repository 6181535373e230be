// SPDX-License-Identifier: Apache-2.0

/// A credential was saved, or was there already.
package struct SavedAnswer: WireValue, Hashable {
    package let credential: String
    package let changed: Bool

    package init(credential: String, changed: Bool) {
        self.credential = credential
        self.changed = changed
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        credential = try members.string("credential", bytes: 1...64)
        changed = try members.bool("changed")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("credential", credential)
        writer.member("changed", changed)
    }
}
