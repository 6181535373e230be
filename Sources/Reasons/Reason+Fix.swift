// SPDX-License-Identifier: Apache-2.0

extension Reason {
    /// The fix where the refusal has no `detail`; nil where `fixTemplate` always applies.
    var fixWithoutCause: String? {
        switch self {
        case .vaultUnreadable: "See why: autofillctl vault unlock"
        case .backupNotMade: "Choose another location for it"
        case .backupNotUsable: "Choose another one: autofillctl vault backups"
        case .invitationNotValid: "Create another one: autofillctl sync invite"
        case .deviceNotRemovable: "See the machines: autofillctl sync devices"
        case .syncIncomplete: "See why: autofillctl sync status"
        default: nil
        }
    }

    /// The fix where the refusal names a path that `fixTemplate` does not; nil where there is no such case.
    var fixNamingPath: String? {
        switch self {
        // Of a program that acts for others without being a delegate.
        case .identityMismatch:
            "Have an administrator install {bundleID}.json in /etc/autofilld/apps, and a file /etc/autofilld/delegates/{bundleID}.json: both with {path} in \"executables\""
        default: nil
        }
    }

    /// The fix where the refusal names the program that asks through Secret Service; nil where there is no such case.
    ///
    /// - Parameter isOwn: whether it asks for what it has saved itself.
    func fixNamingProgram(isOwn: Bool) -> String? {
        let command = isOwn ? "autofillctl grant allow {path}" : "autofillctl grant allow {path} {domain}"
        let effect =
            isOwn ? "read all secrets that it has saved itself" : "read this secret, which another program has saved"
        return switch self {
        case .grantMissing: "Let {path} \(effect): \(command)"
        case .grantDenied: "Revert the denial, and let {path} \(effect): \(command)"
        case .interactionRequired: "Send interaction \"allow\", or let {path} \(effect): \(command)"
        default: nil
        }
    }

    /// The fix where the refusal names a limit that `fixTemplate` does not; nil where there is no such case.
    var fixNamingLimit: String? {
        switch self {
        // Of a program that could not be inspected.
        case .identityMismatch:
            "Try again: {detail}. If it fails again, check that the file systems of the program, and of the files that its registration names, respond within {limit}"
        // Of files that could not be inspected.
        case .appNotInstalled:
            "Try again: {detail}. If it fails again, check that the file systems of the files that {path} names respond within {limit}"
        default: nil
        }
    }

    /// The fix. `{bundleID}`, `{domain}`, `{field}` and the other names in braces are parameters of the refusal.
    package var fixTemplate: String {
        switch self {
        case .keychainDisabled:
            "Turn it on: autofillctl settings set keychain on"
        case .autoFillDisabled:
            "Turn AutoFill on: autofillctl settings set autoFill on"
        case .strongPasswordsDisabled:
            "Turn them on: autofillctl settings set strongPasswords on --app {bundleID}"
        case .identityMismatch:
            "Start the program that the registration of {bundleID} names, or correct \"executables\" there: autofillctl explain {bundleID}"
        case .appNotRegistered:
            "Write {bundleID}.json (man autofilld-registration) and run: autofillctl app register {bundleID}.json"
        case .registrationInvalid:
            "Correct the registration; this command lists each error: autofillctl app check {path}"
        case .appNotInstalled:
            "Install {bundleID}, or correct \"executables\" in {path}"
        case .providerEntitlementMissing:
            "Add \"com.apple.developer.authentication-services.autofill-credential-provider\": true to the entitlements of {bundleID}, then run: autofillctl app register {bundleID}.json"
        case .codeSourceEntitlementMissing:
            "Add \"org.autofilld.one-time-code-source\": true to the entitlements of {bundleID}, then run: autofillctl app register {bundleID}.json"
        case .associatedDomainsMissing:
            "Add \"com.apple.developer.associated-domains\": [\"webcredentials:{domain}\"] to the entitlements of {bundleID}, then run: autofillctl app register {bundleID}.json"
        case .browserEntitlementMissing:
            "Have an administrator install {bundleID}.json in /etc/autofilld/apps, with \"com.apple.developer.web-browser\": true in its entitlements. An app that is not a browser sends service {\"type\": \"domain\", \"value\": \"example.com\"}"
        case .helperEntitlementMissing:
            "Have an administrator install {bundleID}.json in /etc/autofilld/apps, with \"org.autofilld.credential-helper\": true in its entitlements. An app that stores passwords of a web site sends service {\"type\": \"domain\", \"value\": \"example.com\"}"
        case .serviceTypeUnsupported:
            "Send service {\"type\": \"domain\", \"value\": \"example.com\"}"
        case .originOpaque:
            "Use an http or https page that has an origin: a sandboxed frame, a file, a data: URL and an extension's page have none"
        case .originNotSecure:
            "Serve {domain} over https: over http, anyone on the network path can read and change the page. Only localhost, private addresses and single-label names are allowed over http"
        case .domainNotAssociated:
            "Add \"webcredentials:{domain}\" to com.apple.developer.associated-domains of {bundleID}, then run: autofillctl app register {bundleID}.json"
        case .siteNotFetched:
            "Try again in a few seconds, or show its state: autofillctl domain show {bundleID} {domain}"
        case .siteFetchFailed:
            "Fix https://{site}/.well-known/apple-app-site-association ({detail}), then run: autofillctl domain refresh {bundleID} {domain}. Or approve it yourself: autofillctl domain approve {bundleID} {domain}"
        case .siteNotListing:
            "List \"linux.{bundleID}\" under webcredentials.apps in https://{site}/.well-known/apple-app-site-association, then run: autofillctl domain refresh {bundleID} {domain}. Or approve it yourself: autofillctl domain approve {bundleID} {domain}"
        case .approvalMissing:
            "Approve it: autofillctl domain approve {bundleID} {domain}"
        case .approvalDenied:
            "Revert the denial: autofillctl domain approve {bundleID} {domain}"
        case .accessGroupNotEntitled:
            "Add \"{accessGroup}\" to keychain-access-groups of {bundleID}; an administrator must install the registration in /etc/autofilld/apps"
        case .newPasswordFieldMissing:
            "Set contentType \"newPassword\" (not \"password\") on the field for the new password"
        case .fieldNotSecure:
            "Send secure: true for field {field}, and try again when its text is hidden"
        case .usernameFieldMissing:
            "Set contentType \"username\" on the field for the user name or e-mail address, on the same screen"
        case .passwordRulesUnsatisfiable:
            "Correct passwordRules of field {field}: {detail}"
        case .passwordRulesTooComplex:
            "Simplify passwordRules of field {field}: {detail}"
        case .grantMissing:
            "Allow it: autofillctl grant allow {bundleID} {domain}"
        case .grantDenied:
            "Revert the denial: autofillctl grant allow {bundleID} {domain}"
        case .consentDenied:
            "Try again later, when the user starts it"
        case .interactionRequired:
            "Send interaction \"allow\", or run: autofillctl grant allow {bundleID} {domain}"
        case .saveUnconfirmed:
            "Save it: autofillctl save {domain} USER; or, for all apps: autofillctl settings set saveSubmitted always"
        case .saveDisabled:
            "Turn it on: autofillctl settings set saveSubmitted ask; or, if the user chose never, revoke that: autofillctl grant list, then grant revoke"
        case .vaultMissing:
            "Create one: autofillctl vault create"
        case .vaultLocked:
            "Unlock it: autofillctl vault unlock"
        case .vaultExists:
            "Unlock it: autofillctl vault unlock"
        case .vaultUnreadable:
            "{detail}"
        case .vaultNewer:
            "Install a newer autofilld; this version did not change the vault"
        case .vaultReplaced:
            "Copy the vault before it is locked or the service is stopped: autofillctl vault backup FILE. Then put the original file back, or restore the copy: autofillctl vault restore FILE"
        case .vaultBusy:
            "Try again when the operation has finished: autofillctl status"
        case .vaultCorrupt:
            "Check and repair it: autofillctl vault check --repair"
        case .vaultOlder:
            "Lock it, autofillctl vault lock, and put the newer vault.sqlite back; or check it, autofillctl vault check, and accept the vault as it is: autofillctl vault check --repair --accept-older"
        case .recordDamaged:
            "Repair what can be repaired of it: autofillctl vault check --repair. A backup may hold the original: autofillctl vault backups"
        case .storageFull:
            "Free disk space where the vault is stored, and try again"
        case .storageReadOnly:
            "Make its folder writable for the user, and try again"
        case .storageFailed:
            "Try again ({detail}); if it fails again, check the kernel's messages about the disk: journalctl -k"
        case .backupNotMade:
            "{detail}"
        case .backupNotUsable:
            "{detail}"
        case .tooManyOffers:
            "Accept or decline the offers, or send a form id so that the same offer is returned again"
        case .tooManyItems:
            "Delete some: autofillctl keychain list"
        case .tooManyCredentials:
            "Delete some: autofillctl list; or save it with: autofillctl save"
        case .tooManyCodes:
            "Wait until some have expired"
        case .offerNotFound:
            "Request one: autofill.suggest"
        case .offerExpired:
            "Request a new one: autofill.suggest"
        case .offerAlreadyAccepted:
            "Repeat it with the same arguments, or change the credential: credential.save"
        case .offerDeclined:
            "Request a new one: autofill.suggest"
        case .submissionNotFound:
            "Send the form again: autofill.submit"
        case .credentialNotFound:
            "List what is saved: autofillctl list"
        case .credentialTaken:
            "Delete the saved one first: autofillctl delete"
        case .itemNotFound:
            "Set it first: keychain.set"
        case .itemExists:
            "Delete that one first, or set its data: keychain.set"
        case .verifierNotFound:
            "Set it first: verifier.set"
        case .codeNotFound:
            "Add the one-time-code secret to a credential: autofillctl code set"
        case .versionMismatch:
            "Read it again and repeat with its version"
        case .proofRequired:
            "Send proof with the request; autofillctl prompts for it on the terminal"
        case .proofWrong:
            "Try again; nothing was changed"
        case .proofTooSoon:
            "Wait {limit}, then try again"
        case .checkTooSoon:
            "Wait {limit}, then try again"
        case .keyDerivationBusy:
            "Try again in a few seconds"
        case .recoveryKeyMistyped:
            "Compare it, group by group, with the key that was written down"
        case .passphraseTooShort:
            "Choose one of at least {limit} bytes"
        case .passphraseTooCommon:
            "Choose another, such as four unrelated words: {detail}"
        case .settingMandatory:
            "Ask the administrator to remove {detail} from \"mandatory\" in /etc/autofilld/settings.json"
        case .settingsInvalid:
            "Correct {settings}: {detail}"
        case .settingsNotWritten:
            "Make {settings} writable for the user: {detail}"
        case .slotNotFound:
            "List the slots: autofillctl vault slot list"
        case .slotLast:
            "Add another one first: autofillctl vault slot add"
        case .syncOff:
            "Start it: autofillctl sync start FOLDER. To join another machine: autofillctl sync join FOLDER"
        case .syncOn:
            "Stop it first: autofillctl sync stop"
        case .syncUndecided:
            "Choose what counts: autofillctl sync resume others, or autofillctl sync resume vault"
        case .syncIncomplete:
            "Repeat the command when all can be received: {detail}"
        case .machineRemoved:
            "Stop sync and join again; what is saved here is kept: autofillctl sync stop, then autofillctl sync join FOLDER"
        case .updateNeeded:
            "Install a newer autofilld on this machine: sync waits until then"
        case .invitationNotValid:
            "{detail}"
        case .deviceNotRemovable:
            "{detail}"
        case .notOwn:
            "Use autofillctl, which prompts for the passphrase"
        case .peerEnded:
            "Connect from the program that sends the requests"
        case .peerChanged:
            "Wait for the answer to hello and send the request again from the program that connected; if that program has executed another, connect again"
        case .notPermitted:
            "Use the socket in your own runtime directory"
        case .outsideSandboxOnly:
            "Have the user do it with autofillctl, outside the sandbox"
        case .cancelled:
            "Send it again if it is still needed"
        case .stopping:
            "Connect again; the socket remains and starts the service again"
        case .tooManyRequests:
            "Read the answers before sending more"
        case .tooManyConnections:
            "Use one connection for many requests, and close connections that are no longer needed"
        case .answerTooLong:
            "Ask for fewer entries, by a smaller limit"
        case .internalFault:
            "Report it with the journal: journalctl --user -u autofilld"
        }
    }
}
