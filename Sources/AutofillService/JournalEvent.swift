// SPDX-License-Identifier: Apache-2.0
package import Reasons

/// Something for the journal: one line and its fields. It never holds a secret or a user name, and a domain only as
/// `domain`.
package struct JournalEvent: Sendable {
    /// Who asked.
    package struct Asker: Hashable, Sendable {
        package let bundleID: String
        package let assurance: String?
        package let processID: Int32
        package let executable: String?
        package let unit: String?
    }

    package let message: String
    /// Set when something was refused or withheld.
    package let refusal: Refusal?
    package let asker: Asker?
    package let method: String?
    package let domain: String?
    /// How many like it were left out since the last one.
    package let leftOut: Int
}
