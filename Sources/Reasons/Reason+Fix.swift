// SPDX-License-Identifier: Apache-2.0

extension Reason {
    /// What mends it where its cause, which would say it, is not at hand; nil where the template always will do.
    var fixWithoutCause: String? {
        switch self {
        case .vaultUnreadable: "See why: autofillctl vault unlock"
        case .backupNotMade: "Choose another place for it"
        case .backupNotUsable: "Choose another one: autofillctl vault backups"
        default: nil
        }
    }

    /// What mends it where the refusal names a path that the template does not; nil where there is no such case.
    var fixNamingPath: String? {
        switch self {
        // Of a program that speaks for others without being a delegate.
        case .identityMismatch:
            "Have an administrator install {app}.json in /etc/autofilld/apps, and a file /etc/autofilld/delegates/{app}.json: both with {path} among \"executables\""
        default: nil
        }
    }

    /// What mends it where the refusal names a limit that the template does not; nil where there is no such case.
    var fixNamingLimit: String? {
        switch self {
        // Of a program that could not be looked at.
        case .identityMismatch:
            "Try again: {detail}. If that goes on, see that the file systems of the program, and of what its registration names, answer within {limit}"
        // Of files that could not be looked at.
        case .appNotInstalled:
            "Try again: {detail}. If that goes on, see that the file systems of what {path} names answer within {limit}"
        default: nil
        }
    }

    /// What mends it. `{app}`, `{domain}`, `{field}` and the like stand for parameters of the refusal.
    package var fixTemplate: String {
        switch self {
        case .keychainDisabled:
            "Turn it on: autofillctl settings set keychain on"
        case .autoFillDisabled:
            "Turn AutoFill on: autofillctl settings set autoFill on"
        case .strongPasswordsDisabled:
            "Turn them on: autofillctl settings set strongPasswords on --app {app}"
        case .identityMismatch:
            "Start the program that the registration of {app} names, or correct \"executables\" there: autofillctl explain {app}"
        case .appNotRegistered:
            "Write {app}.json (man autofilld-registration) and run: autofillctl app register {app}.json"
        case .registrationInvalid:
            "Mend the registration; it names each mistake: autofillctl app check {path}"
        case .appNotInstalled:
            "Install {app}, or correct \"executables\" in {path}"
        case .providerEntitlementMissing:
            "Add \"com.apple.developer.authentication-services.autofill-credential-provider\": true to the entitlements of {app}, then run: autofillctl app register {app}.json"
        case .codeSourceEntitlementMissing:
            "Add \"org.autofilld.one-time-code-source\": true to the entitlements of {app}, then run: autofillctl app register {app}.json"
        case .associatedDomainsMissing:
            "Add \"com.apple.developer.associated-domains\": [\"webcredentials:{domain}\"] to the entitlements of {app}, then run: autofillctl app register {app}.json"
        case .browserEntitlementMissing:
            "Have an administrator install {app}.json in /etc/autofilld/apps, with \"com.apple.developer.web-browser\": true among its entitlements. An app that is no browser sends service {\"type\": \"domain\", \"value\": \"example.com\"}"
        case .helperEntitlementMissing:
            "Have an administrator install {app}.json in /etc/autofilld/apps, with \"org.autofilld.credential-helper\": true among its entitlements. An app that keeps passwords of a web site sends service {\"type\": \"domain\", \"value\": \"example.com\"}"
        case .serviceTypeUnsupported:
            "Send service {\"type\": \"domain\", \"value\": \"example.com\"}"
        case .originOpaque:
            "Ask for a page of http or https with an origin of its own: a sandboxed frame, a file, data: and an extension's page have none"
        case .originNotSecure:
            "Serve {domain} over https: over http whoever is on the way reads and changes the page. Only localhost, private addresses and names of one part are served over http"
        case .domainNotAssociated:
            "Add \"webcredentials:{domain}\" to com.apple.developer.associated-domains of {app}, then run: autofillctl app register {app}.json"
        case .siteNotFetched:
            "Ask again in a few seconds, or see what became of it: autofillctl domain show {app} {domain}"
        case .siteFetchFailed:
            "Mend https://{site}/.well-known/apple-app-site-association ({detail}), then run: autofillctl domain refresh {app} {domain}. Or approve it yourself: autofillctl domain approve {app} {domain}"
        case .siteNotListing:
            "List \"linux.{app}\" under webcredentials.apps in https://{site}/.well-known/apple-app-site-association, then run: autofillctl domain refresh {app} {domain}. Or approve it yourself: autofillctl domain approve {app} {domain}"
        case .approvalMissing:
            "Approve it: autofillctl domain approve {app} {domain}"
        case .approvalDenied:
            "Take the denial back: autofillctl domain approve {app} {domain}"
        case .accessGroupNotEntitled:
            "Add \"{group}\" to keychain-access-groups of {app}; an administrator installs the registration in /etc/autofilld/apps"
        case .newPasswordFieldMissing:
            "Set contentType \"newPassword\" (not \"password\") on the field for the new password"
        case .fieldNotSecure:
            "Send secure: true for field {field}, and ask again when its text is hidden"
        case .usernameFieldMissing:
            "Set contentType \"username\" on the field for the user name or e-mail address, on the same screen"
        case .passwordRulesUnsatisfiable:
            "Correct passwordRules of field {field}: {detail}"
        case .passwordRulesTooComplex:
            "Simplify passwordRules of field {field}: {detail}"
        case .grantMissing:
            "Allow it: autofillctl grant allow {app} {domain}"
        case .grantDenied:
            "Take the denial back: autofillctl grant allow {app} {domain}"
        case .consentDenied:
            "Ask again later, when the user starts it"
        case .interactionRequired:
            "Send interaction \"allow\", or run: autofillctl grant allow {app} {domain}"
        case .saveUnconfirmed:
            "Save it: autofillctl save {domain} USER; or for all of them: autofillctl settings set saveSubmitted always"
        case .saveDisabled:
            "Have it ask: autofillctl settings set saveSubmitted ask; or take back the user's never: autofillctl grant list, then grant revoke"
        case .vaultMissing:
            "Make one: autofillctl vault create"
        case .vaultLocked:
            "Unlock it: autofillctl vault unlock"
        case .vaultExists:
            "Unlock it: autofillctl vault unlock"
        case .vaultUnreadable:
            "{detail}"
        case .vaultNewer:
            "Install a newer autofilld; this one left the vault untouched"
        case .vaultReplaced:
            "Copy the vault before it is locked or the service stopped: autofillctl vault backup FILE. Then put the file back, or the copy in its place: autofillctl vault restore FILE"
        case .vaultBusy:
            "Try again when the work on the vault is done: autofillctl status"
        case .vaultUnsound:
            "See what is wrong, and mend it: autofillctl vault check --repair"
        case .vaultOlder:
            "Lock it, autofillctl vault lock, and put the newer vault.sqlite back; or see what is wrong, autofillctl vault check, and take the vault as it is: autofillctl vault check --repair --accept-older"
        case .recordDamaged:
            "Mend what can be mended of it: autofillctl vault check --repair. A backup has it as it was: autofillctl vault backups"
        case .storageFull:
            "Make room where the vault is, and try again"
        case .storageReadOnly:
            "Make its folder writable for the user, and try again"
        case .storageFailed:
            "Try again ({detail}); where that does not help, see what the system says of the disk: journalctl -k"
        case .backupNotMade:
            "{detail}"
        case .backupNotUsable:
            "{detail}"
        case .tooManyOffers:
            "Accept or decline what was offered, or send a form id so that the same offer is given again"
        case .tooManyItems:
            "Delete some: autofillctl keychain list"
        case .tooManyCredentials:
            "Delete some: autofillctl list; or save it by hand: autofillctl save"
        case .tooManyCodes:
            "Wait until some have expired"
        case .offerNotFound:
            "Ask for one: autofill.suggest"
        case .offerExpired:
            "Ask for a new one: autofill.suggest"
        case .offerAlreadyAccepted:
            "Repeat it with the same arguments, or change the credential: credential.save"
        case .offerDeclined:
            "Ask for a new one: autofill.suggest"
        case .credentialNotFound:
            "See what is saved: autofillctl list"
        case .credentialTaken:
            "Delete the one that is saved now first: autofillctl delete"
        case .itemNotFound:
            "Set it first: keychain.set"
        case .itemExists:
            "Delete that one first, or set its data: keychain.set"
        case .verifierNotFound:
            "Set it first: verifier.set"
        case .codeNotFound:
            "Give a credential its codes: autofillctl code set"
        case .versionMismatch:
            "Read it again and repeat with its version"
        case .proofRequired:
            "Send proof with the request; autofillctl asks for it on the terminal"
        case .proofWrong:
            "Try again; nothing was changed"
        case .proofTooSoon:
            "Wait {limit}, then try again"
        case .checkTooSoon:
            "Wait {limit}, then try again"
        case .keyDerivationBusy:
            "Try again in a few seconds"
        case .recoveryKeyMistyped:
            "Compare it, group by group, with what was written down"
        case .passphraseTooShort:
            "Choose one of at least {limit} bytes"
        case .passphraseTooCommon:
            "Choose another, such as four words that have nothing to do with each other: {detail}"
        case .settingMandatory:
            "Ask the administrator, who can take {detail} out of \"mandatory\" in /etc/autofilld/settings.json"
        case .settingsInvalid:
            "Correct {settings}: {detail}"
        case .settingsNotWritten:
            "Let the user write {settings}: {detail}"
        case .slotNotFound:
            "See the slots: autofillctl vault slot list"
        case .slotLast:
            "Add another one first: autofillctl vault slot add"
        case .notOwn:
            "Use autofillctl, which asks for the passphrase"
        case .peerEnded:
            "Connect from the program that asks"
        case .peerChanged:
            "Wait for the answer to hello and send it again, from the program that connected; where that has become another, connect again"
        case .notPermitted:
            "Use the socket in your own runtime directory"
        case .outsideSandboxOnly:
            "Have the user do it, with autofillctl outside the sandbox"
        case .cancelled:
            "Send it again if it is still wanted"
        case .stopping:
            "Connect again; the socket stays and starts it anew"
        case .tooManyRequests:
            "Read the answers before more is sent"
        case .tooManyConnections:
            "Use one connection for many requests, and close those that are no longer needed"
        case .internalFault:
            "Report it with the journal: journalctl --user -u autofilld"
        }
    }
}
