// SPDX-License-Identifier: Apache-2.0

/// One way to open the vault.
package struct SlotReport: WireValue, Hashable {
    /// `passphrase`, `key` or `recoveryKey`.
    package let kind: String
    package let protects: String

    package init(kind: String, protects: String) {
        self.kind = kind
        self.protects = protects
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        kind = try members.string("kind", bytes: 1...32)
        protects = try members.string("protects", bytes: 0...1024)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("kind", kind)
        writer.member("protects", protects)
    }
}
