// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Prompting

extension OfferList: DescribedDeed {
    var deed: String { "list which passwords were offered to which apps" }
}

extension CredentialGet: DescribedDeed {
    var deed: String { "read a password saved for \(Self.shown(service.value))" }
}

extension CredentialSave: DescribedDeed {
    var deed: String {
        "save a password for \(Self.shown(user)) at \(Self.shown(service.value)), whoever saved the one before"
    }
}

extension CredentialList: DescribedDeed {
    var deed: String {
        service.map { "list the user names saved for \(Self.shown($0.value))" } ?? "list all user names that are saved"
    }
}

extension CodeSet: DescribedDeed {
    var deed: String {
        "set what makes the one-time codes for \(Self.shown(service.value)), whoever saved the password"
    }
}

extension CodeGet: DescribedDeed {
    var deed: String { "read a one-time code for \(Self.shown(service.value))" }
}

extension CodeDelete: DescribedDeed {
    var deed: String {
        "delete what makes the one-time codes for \(Self.shown(user)) at \(Self.shown(service.value))"
    }
}

extension KeychainSet: DescribedDeed {
    var deed: String { "change the keychain item \(Self.item(accessGroup, service, account))" }
}

extension KeychainGet: DescribedDeed {
    var deed: String { "read the keychain item \(Self.item(accessGroup, service, account))" }
}

extension KeychainRename: DescribedDeed {
    var deed: String {
        "rename the keychain item \(Self.item(accessGroup, service, account)) to \(Self.shown(newAccount))"
    }
}

extension KeychainDelete: DescribedDeed {
    var deed: String { "delete the keychain item \(Self.item(accessGroup, service, account))" }
}

extension KeychainList: DescribedDeed {
    var deed: String {
        service.map { "list the keychain items of \(Self.item(accessGroup, $0, nil))" } ?? "list all keychain items"
    }
}

extension VerifierDelete: DescribedDeed {
    var deed: String { "delete the password check \(Self.item(accessGroup, service, account))" }
}

extension VerifierImport: DescribedDeed {
    var deed: String { "replace the password check \(Self.item(accessGroup, service, account))" }
}

extension GrantAllow: DescribedDeed {
    var deed: String {
        "let the app \(Self.shown(bundleID)) fill what is saved for \(Self.shown(service.value))"
    }
}

extension GrantDeny: DescribedDeed {
    var deed: String { "keep the app \(Self.shown(bundleID)) from what is saved for \(Self.shown(service.value))" }
}

extension GrantList: DescribedDeed {
    var deed: String { "list which apps are allowed to fill what" }
}

extension DomainList: DescribedDeed {
    var deed: String { "list the domains of \(bundleID.map { "the app \(Self.shown($0))" } ?? "all apps")" }
}

extension DomainGet: DescribedDeed {
    var deed: String { "see what is known of \(Self.shown(domain)) and the app \(Self.shown(bundleID ?? ""))" }
}

extension DomainRefresh: DescribedDeed {
    var deed: String { "have \(Self.shown(domain)) asked about the app \(Self.shown(bundleID ?? ""))" }
}

extension DomainApprove: DescribedDeed {
    var deed: String { "count \(Self.shown(bundleID)) as an app of \(Self.shown(domain)) from now on" }
}

extension DomainDeny: DescribedDeed {
    var deed: String { "keep \(Self.shown(bundleID)) from being an app of \(Self.shown(domain))" }
}

extension SettingList: DescribedDeed {
    var deed: String { "read all settings" }
}

extension SettingGet: DescribedDeed {
    var deed: String { "read the setting \(Self.shown(setting))" }
}

extension SettingSet: DescribedDeed {
    var deed: String {
        let target = "the setting \(Self.shown(setting))" + (app.map { " for the app \(Self.shown($0))" } ?? "")
        return value.map { "change \(target) to \(Self.shown($0.inWords))" }
            ?? "put \(target) back to what it was at first"
    }
}

extension ReleaseList: DescribedDeed {
    var deed: String { "read the record of which password was given to which app" }
}

extension ProvableCall {
    /// Where a keychain item is, in words.
    fileprivate static func item(_ group: String?, _ service: String, _ account: String?) -> String {
        let names = [group, service, account].compactMap(\.self).joined(separator: " / ")
        return PromptText.shown(names, limit: Limits.promptPathCharacters)
    }
}

extension SettingValue {
    /// For a person.
    fileprivate var inWords: String {
        switch self {
        case .bool(let isOn): isOn ? "on" : "off"
        case .integer(let number): "\(number)"
        case .string(let text): text
        case .switches(let switches):
            switches.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value ? "on" : "off")" }.joined(separator: ", ")
        }
    }
}
