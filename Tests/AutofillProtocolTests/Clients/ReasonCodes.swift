// SPDX-License-Identifier: Apache-2.0

/// The reasons that have a constant in the Swift client, each with its meaning: those that an app may handle.
enum ReasonCodes {
    private static let text = """
        keychainDisabled: The keychain is off.
        autoFillDisabled: AutoFill is off.
        strongPasswordsDisabled: Strong passwords are off, for all apps or this one.
        identityMismatch: The program is not the app that it claims to be.
        appNotRegistered: The app has no registration.
        providerEntitlementMissing: The registration lacks the entitlement of a credential provider.
        codeSourceEntitlementMissing: The registration lacks the entitlement to hand over one-time codes.
        associatedDomainsMissing: The registration has no associated domain.
        domainNotAssociated: The domain is not an associated domain of the app.
        siteNotFetched: The site has not been asked yet whether it lists the app.
        siteFetchFailed: The site's association file could not be fetched.
        siteNotListing: The site does not list the app.
        approvalMissing: The user has not approved the domain, and the approval is required.
        approvalDenied: The user denied that the domain belongs to the app.
        newPasswordFieldMissing: The form has no field for a new password.
        fieldNotSecure: The text of the new password is visible.
        usernameFieldMissing: The sign-up form has no field for the user name.
        passwordRulesUnsatisfiable: No password can satisfy the rules.
        grantMissing: The user has not allowed the app to get saved credentials.
        grantDenied: The user denied the app saved credentials.
        consentDenied: The user said no, this time.
        interactionRequired: A prompt is required, and the request forbids it.
        saveUnconfirmed: The user did not confirm that the form is to be saved.
        saveDisabled: Saving of submitted forms is off.
        vaultMissing: There is no vault yet.
        vaultLocked: The vault is locked.
        credentialNotFound: There is no such credential.
        codeNotFound: There is no such one-time code.
        itemNotFound: There is no such keychain item.
        itemExists: The other account has a keychain item already.
        verifierNotFound: There is no such verifier.
        checkTooSoon: The verifier cannot be checked yet, after wrong passwords.
        accessGroupNotEntitled: The registration does not list this access group.
        versionMismatch: The credential was changed since that version.
        tooManyOffers: Too many strong passwords are pending.
        offerNotFound: There is no such offer.
        offerExpired: The offer has expired.
        offerAlreadyAccepted: The offer was accepted before, with other values.
        offerDeclined: The offer was declined before.
        submissionNotFound: The form was sent on another connection, too long ago, or withdrawn.
        peerChanged: The program at this end of the connection is not the one that connected.
        stopping: The service is stopping. A repeatable call is sent again automatically; see ``AutofillSession``.
        """

    static var source: String {
        let constants = text.split(separator: "\n").map { line in
            let parts = line.split(separator: ": ", maxSplits: 1)
            return "    /// \(parts[1])\n    public static let \(parts[0]) = Self(.\(parts[0]))"
        }
        return """
            /// The reasons that an app may handle. protocol.md has all.
            extension AutofillReason.Code {
            \(constants.joined(separator: "\n"))
            }
            """
    }
}
