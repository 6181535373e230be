// SPDX-License-Identifier: Apache-2.0

/// The assurance of a claim to a bundle ID, and its grounds.
package struct Identification: Hashable, Sendable {
    package let bundleID: String
    package let assurance: Assurance
    /// The evidence, one sentence each, in a fixed order; printable.
    package let grounds: [String]
    /// The subject of a grant. Nil: this peer could not be recognised again, so it may be allowed once and not
    /// remembered.
    package let subject: GrantSubject?

    package init(bundleID: String, assurance: Assurance, grounds: [String], subject: GrantSubject?) {
        self.bundleID = bundleID
        self.assurance = assurance
        self.grounds = grounds
        self.subject = subject
    }
}
