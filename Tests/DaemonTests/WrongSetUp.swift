// SPDX-License-Identifier: Apache-2.0

/// One way in which an app, or what it needs, is set up wrong. It does not contain the remedy: the refusals' own fixes state it.
struct WrongSetUp: Sendable, CustomStringConvertible {
    let description: String
    /// The reasons that are reported first, in their order.
    let reasons: [String]
    /// The registration that the developer has, and has registered; nil: none.
    var registration: String? = Self.right
    /// The file among the user's registrations, if it is not that one.
    var installed: String?
    var hasVault = true
    /// Whether the vault has not been unlocked since the daemon's start.
    var isLocked = false
    /// The commands that the user ran before.
    var commands: [String] = []
    /// The administrator's setting.
    var siteAssociation = "advisory"
    /// Whether there is an administrator, who installs registrations in /etc.
    var hasAdministrator = false
    /// Whether the user has saved a password for the site.
    var isSaved = false
    /// The app's request.
    var call: (method: String, parameters: String) = ("autofill.suggest", Self.signUp())

    static let right = registration()

    static func registration(
        domains: String? = #"["webcredentials:shop.example.com"]"#, isProvider: Bool = true, more: String = ""
    ) -> String {
        let entitlements = [
            domains.map { #""com.apple.developer.associated-domains": \#($0)"# },
            isProvider ? #""com.apple.developer.authentication-services.autofill-credential-provider": true"# : nil,
        ].compactMap(\.self).joined(separator: ", ")
        return #"{"bundleID": "org.example.Shop", "name": "Example Shop", "entitlements": {\#(entitlements)}\#(more)}"#
    }

    static func signUp(
        mail: String = #""contentType": "username""#, new: String = #""contentType": "newPassword", "secure": true"#
    ) -> String {
        #"{"service": {"type": "domain", "value": "shop.example.com"}, "form": {"fields": [{"id": "mail", \#(mail)}, {"id": "new", \#(new)}]}}"#
    }

    private static let site = #""service": {"type": "domain", "value": "shop.example.com"}"#
    private static let get = (method: "credential.get", parameters: "{\(site)}")
    private static let submitted = (
        method: "autofill.submit",
        parameters: #"{\#(site), "form": {"fields": [{"id": "mail", "contentType": "username", "value": "ann"}, "#
            + #"{"id": "pw", "contentType": "password", "secure": true, "value": "s3cret"}]}}"#
    )
    private static let item = #"{"place": {"namespace": "sync", "account": "ann"}}"#

    static let all = ofRegistrations + ofForms + ofSettings + ofGrants + ofVaults

    private static let ofRegistrations = [
        WrongSetUp(description: "The app is not registered", reasons: ["app-not-registered"], registration: nil),
        WrongSetUp(
            description: "A member of the registration is misspelt", reasons: ["registration-invalid"],
            installed: right.replacing("entitlements", with: "entitlments")),
        WrongSetUp(
            description: "The registration has a member of another system", reasons: ["registration-invalid"],
            installed: registration(more: #", "CFBundleVersion": "1""#)),
        WrongSetUp(
            description: "The registration claims an access group of another app", reasons: ["registration-invalid"],
            installed: right.replacing(
                #""entitlements": {"#, with: #""entitlements": {"keychain-access-groups": ["org.example.Other"], "#)),
        WrongSetUp(
            description: "It is no credential provider", reasons: ["provider-entitlement-missing"],
            registration: registration(isProvider: false)),
        WrongSetUp(
            description: "It has no associated domain", reasons: ["associated-domains-missing"],
            registration: registration(domains: nil)),
        WrongSetUp(
            description: "Its associated domains are empty", reasons: ["associated-domains-missing"],
            registration: registration(domains: "[]")),
        WrongSetUp(
            description: "It has the domain of another site", reasons: ["domain-not-associated"],
            registration: registration(domains: #"["webcredentials:www.example.org"]"#)),
        WrongSetUp(
            description: "It hands over codes without being a source of them",
            reasons: ["code-source-entitlement-missing"],
            call: ("code.offer", #"{\#(site), "code": "123456"}"#)),
        WrongSetUp(
            description: "Another program asks than the one that is registered", reasons: ["identity-mismatch"],
            registration: registration(more: #", "executables": ["WORK/shop"]"#)),
        WrongSetUp(
            description: "A program of another kind is registered", reasons: ["identity-mismatch"],
            registration: registration(more: #", "executables": ["/usr/bin/true"]"#)),
    ]

    /// Those that an administrator has to fix.
    static let forAdministrators = [
        WrongSetUp(
            description: "A browser is registered as any app is", reasons: ["browser-entitlement-missing"],
            hasAdministrator: true, call: save("origin", "https://shop.example.com")),
        WrongSetUp(
            description: "A credential helper is not registered", reasons: ["app-not-registered"], registration: nil,
            hasAdministrator: true, call: save("url", "https://shop.example.com/team/")),
        WrongSetUp(
            description: "It passes another process's pidfd and is no delegate", reasons: ["identity-mismatch"],
            registration: registration(more: #", "executables": ["\#(RepairStage.frontEnd)"]"#),
            hasAdministrator: true,
            call: (
                "hello",
                #"{"bundleID": "org.example.Shop", "protocol": {"min": 1, "max": 1}, "#
                    + #""onBehalfOf": {"bundleID": "org.example.Other"}}"#
            )),
        WrongSetUp(
            description: "It uses an access group that its registration does not name",
            reasons: ["access-group-not-entitled"], hasAdministrator: true,
            call: (
                "keychain.set",
                #"{"place": {"namespace": "sync", "account": "ann"}, "accessGroup": "org.example.suite", "#
                    + #""data": {"base64": "QQ=="}}"#
            )),
    ]

    private static func save(_ type: String, _ value: String) -> (method: String, parameters: String) {
        (
            "credential.save",
            #"{"service": {"type": "\#(type)", "value": "\#(value)"}, "user": "ann", "password": "s3cret"}"#
        )
    }

    private static let ofSettings = [
        WrongSetUp(
            description: "AutoFill is off", reasons: ["autofill-disabled"],
            commands: ["autofillctl settings set autoFill off --key-file vault.key"]),
        WrongSetUp(
            description: "Strong passwords are off", reasons: ["strong-passwords-disabled"],
            commands: ["autofillctl settings set strongPasswords off --key-file vault.key"]),
        WrongSetUp(
            description: "Strong passwords are off for the app", reasons: ["strong-passwords-disabled"],
            commands: ["autofillctl settings set strongPasswords off --app org.example.Shop --key-file vault.key"]),
        WrongSetUp(
            description: "The keychain is off", reasons: ["keychain-disabled"],
            commands: ["autofillctl settings set keychain off --key-file vault.key"],
            call: ("keychain.set", #"{"place": {"namespace": "sync", "account": "ann"}, "data": {"base64": "QQ=="}}"#)),
        WrongSetUp(
            description: "What was typed is not to be saved", reasons: ["save-disabled"],
            commands: ["autofillctl settings set saveSubmitted never --key-file vault.key"], call: submitted),
        WrongSetUp(
            description: "Nobody can be asked whether to save it", reasons: ["save-unconfirmed"], call: submitted),
    ]

    private static let ofForms = [
        WrongSetUp(
            description: "The field for a new password has the content type of a current one",
            reasons: ["new-password-field-missing"],
            call: ("autofill.suggest", signUp(new: #""contentType": "password", "secure": true"#))),
        WrongSetUp(
            description: "The password is shown", reasons: ["field-not-secure"],
            call: ("autofill.suggest", signUp(new: #""contentType": "newPassword""#))),
        WrongSetUp(
            description: "The user name has the content type of an address", reasons: ["username-field-missing"],
            call: ("autofill.suggest", signUp(mail: #""contentType": "emailAddress""#))),
        WrongSetUp(
            description: "It reads an item before there is one", reasons: ["item-not-found"],
            call: ("keychain.get", item)),
        WrongSetUp(
            description: "It fills an offer that does not exist any more", reasons: ["offer-not-found"],
            call: ("autofill.fill", #"{"offer": "ofr_00000000000000000000000000000000"}"#)),
    ]

    private static let ofGrants = [
        WrongSetUp(
            description: "The user denied the app", reasons: ["grant-denied"],
            commands: ["autofillctl grant deny org.example.Shop shop.example.com --key-file vault.key"], isSaved: true,
            call: get),
        WrongSetUp(
            description: "It forbids the question that it needs", reasons: ["interaction-required"], isSaved: true,
            call: ("credential.get", #"{\#(site), "interaction": "forbid"}"#)),
        WrongSetUp(
            description: "The user denied it the domain", reasons: ["approval-denied"],
            commands: ["autofillctl domain deny org.example.Shop shop.example.com --key-file vault.key"]),
        WrongSetUp(
            description: "The site cannot be asked", reasons: ["site-fetch-failed"], siteAssociation: "required"),
        WrongSetUp(
            description: "The site cannot be asked, and the entry is for developers",
            reasons: ["site-fetch-failed", "approval-missing"],
            registration: registration(domains: #"["webcredentials:shop.example.com?mode=developer"]"#),
            siteAssociation: "required"),
    ]

    private static let ofVaults = [
        WrongSetUp(description: "There is no vault", reasons: ["vault-missing"], hasVault: false),
        WrongSetUp(description: "The vault is locked", reasons: ["vault-locked"], isLocked: true),
        WrongSetUp(
            description: "Nothing at all is set up", reasons: ["app-not-registered"], registration: nil,
            hasVault: false,
            call: (
                "autofill.suggest", signUp(mail: #""contentType": "emailAddress""#, new: #""contentType": "password""#)
            )),
    ]
}
