// SPDX-License-Identifier: Apache-2.0

/// What a claim to a bundle ID is worth, and why.
package struct Identification: Hashable, Sendable {
    package let bundleID: String
    package let assurance: Assurance
    /// The evidence, one sentence each, in a fixed order; printable.
    package let grounds: [String]
    /// What a grant would name. Nil: nothing about this peer could be known again, so it may be allowed once and not
    /// remembered.
    package let subject: GrantSubject?

    package init(bundleID: String, assurance: Assurance, grounds: [String], subject: GrantSubject?) {
        self.bundleID = bundleID
        self.assurance = assurance
        self.grounds = grounds
        self.subject = subject
    }
}
