// SPDX-License-Identifier: Apache-2.0
package import Reasons
package import Settings

/// Something for the journal: one line and its fields. It never holds a secret or a user name, and a domain only as
/// `domain`.
package struct JournalEvent: Sendable {
    /// The client that asked.
    package struct Requester: Hashable, Sendable {
        package let bundleID: String
        package let assurance: String?
        package let processID: Int32
        package let executable: String?
        package let unit: String?
    }

    package let level: DaemonSettings.LogLevel
    package let message: String
    /// Set when something was refused or withheld.
    package let refusal: Refusal?
    package let requester: Requester?
    package let method: String?
    /// As the settings have domains shown.
    package let domain: String?
    /// The names of settings that were changed, separated by spaces.
    package let settings: String?
    /// How many like it were left out since the last one.
    package let leftOut: Int

    init(
        level: DaemonSettings.LogLevel, message: String, refusal: Refusal? = nil, requester: Requester? = nil,
        method: String? = nil, domain: String? = nil, settings: String? = nil, leftOut: Int = 0
    ) {
        self.level = level
        self.message = message
        self.refusal = refusal
        self.requester = requester
        self.method = method
        self.domain = domain
        self.settings = settings
        self.leftOut = leftOut
    }
}
