// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import Prompting

/// A request that administers and has a prompt for its proof: this one request, of this connection.
package struct Approval: Hashable, Sendable {
    let client: ClientID
    let request: RequestID
    /// What the connection says it is.
    package let bundleID: String
    package let prompt: Prompt

    package static func == (one: Approval, other: Approval) -> Bool {
        one.client == other.client && one.request == other.request
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(client)
        hasher.combine(request)
    }
}

/// A call that can say to the person what it would do.
protocol DescribedDeed: ProvableCall {
    /// After "wants to": names in it are escaped.
    var deed: String { get }
}

extension DescribedDeed {
    fileprivate static func shown(_ text: String) -> String {
        PromptText.shown(text, limit: Limits.promptPathCharacters)
    }
}

extension CredentialGet: DescribedDeed {
    var deed: String { "read a password saved for \(Self.shown(service.value))" }
}

extension CredentialSave: DescribedDeed {
    var deed: String { "save a password for \(Self.shown(service.value)), whoever saved the one before" }
}

extension CredentialList: DescribedDeed {
    var deed: String {
        service.map { "list the user names saved for \(Self.shown($0.value))" } ?? "list all user names that are saved"
    }
}

extension CredentialDelete: DescribedDeed {
    var deed: String { "delete a saved password" }
}

extension GrantAllow: DescribedDeed {
    var deed: String {
        "let the app \(Self.shown(bundleID)) fill the passwords saved for \(Self.shown(service.value))"
    }
}

extension GrantDeny: DescribedDeed {
    var deed: String {
        "keep the app \(Self.shown(bundleID)) from the passwords saved for \(Self.shown(service.value))"
    }
}

extension GrantList: DescribedDeed {
    var deed: String { "list which apps are allowed to fill what" }
}

extension SettingSet: DescribedDeed {
    var deed: String { "change the setting \(Self.shown(setting))" }
}

extension ReleaseList: DescribedDeed {
    var deed: String { "read the record of which password was given to which app" }
}

extension GrantRevoke: DescribedDeed {
    var deed: String { "take back a grant or a denial" }
}
