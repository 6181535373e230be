// SPDX-License-Identifier: Apache-2.0

/// The supported public files, by the names of the password-manager-resources project.
package enum SiteFile: String, CaseIterable, Sendable {
    case passwordRules = "password-rules.json"
    case sharedCredentials = "shared-credentials.json"
    case changePassword = "change-password-URLs.json"
    case appendedCodes = "websites-that-append-2fa-to-password.json"

    /// Files of the project that are left out, and why.
    package static let leftOut: [String: String] = [
        "shared-credentials-historical.json": "its domains do not share their accounts any more",
        "apple-appIDs-to-domains-shared-credentials.json": "Apple's app IDs mean nothing on Linux",
    ]

    /// The name of its member in the one stored file.
    package var member: String {
        switch self {
        case .passwordRules: "passwordRules"
        case .sharedCredentials: "sharedCredentials"
        case .changePassword: "changePassword"
        case .appendedCodes: "appendedCodes"
        }
    }
}

/// The size limit.
package enum SiteLimits {
    /// Bytes of one file, and of all.
    package static let bytes = 1 << 20
    /// Domains of one file, groups of the file of groups, and domains of one group.
    package static let domains = 20_000
    package static let groups = 5_000
    package static let groupDomains = 500
    /// Bytes of an address.
    package static let addressBytes = 2048
}
