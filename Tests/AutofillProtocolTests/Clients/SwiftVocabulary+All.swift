// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension SwiftVocabulary {
    static let all = [
        SwiftVocabulary(
            "FormKind", Words.formKinds,
            """
            The kind of a form.
            signUp: Creates an account.
            signIn: Signs in to an account.
            changePassword: Changes the password of an account.
            oneTimeCode: Asks for a one-time code only.
            other: Any other form.
            """),
        SwiftVocabulary(
            "FieldRole", Words.roles,
            """
            The role of a field in its form.
            username: The user name, which may be an e-mail address.
            emailAddress: An e-mail address that is not the user name.
            password: The current password.
            newPassword: A new password.
            confirmation: The new password, repeated.
            oneTimeCode: A one-time code.
            search: A search text.
            payment: The number, holder, date or check digits of a card.
            hidden: A field that the user cannot see. It is never filled.
            other: Any other field.
            """),
        SwiftVocabulary(
            "AppAssurance", Words.assurances,
            """
            How far the app's identity can be trusted, from the kernel's evidence.
            sandboxed: A sandbox proves it: a Flatpak.
            installed: A root-owned program that a root-owned registration names.
            attributed: The desktop started it as this app.
            claimed: Only the app itself states it.
            none: The evidence contradicts the app's statement.
            """),
        SwiftVocabulary(
            "OneTimeCodeSource", Words.codeSources,
            """
            The source of a one-time code.
            time: Computed from the time (TOTP).
            counter: Computed from a counter (HOTP).
            incoming: Received by another app.
            """),
        SwiftVocabulary(
            "CredentialChange", Words.credentialChanges,
            """
            A change of a credential.
            saved: It is new or was changed.
            deleted: It was deleted.
            """),
        SwiftVocabulary(
            "SubmissionResult.Outcome", Words.submissionOutcomes,
            """
            The result of a submitted form.
            saved: A new credential was saved.
            updated: A saved credential has another password; the old one is kept.
            unchanged: The same was saved before.
            nothing: The form held nothing to save.
            """),
        SwiftVocabulary(
            "StrongPasswordSuggestion.Style", Words.styles,
            """
            The style of a strong password.
            readable: Groups of letters that can be read out and typed, separated by dashes.
            readableWithoutDashes: The same without dashes, which the rules do not allow.
            random: Any characters that the rules allow.
            """),
        SwiftVocabulary(
            "AutofillReason.Audience", Words.audiences,
            """
            Who can fix a problem.
            user: The user of the app.
            developer: The developer of the app.
            administrator: The administrator of the machine.
            """),
        SwiftVocabulary(
            "AutofillReason.Retry", Words.retries,
            """
            When a refused request may succeed.
            never: The same request is refused always.
            now: At once.
            afterChange: After the fix.
            afterEvent: After `event`.
            afterDelay: After `retryAfter`.
            """),
        SwiftVocabulary(
            "AutofillSetting.Source", Words.settingSources,
            """
            Who set a setting.
            standard=default: Nobody.
            administrator: The administrator.
            user: The user.
            """),
        SwiftVocabulary(
            "Greeting.Capability", Words.capabilities,
            """
            What an app may do.
            strong-passwords: Gets strong passwords.
            credentials: Saves credentials and gets them.
            codes: Gets one-time codes.
            urls: Gets credentials for any string.
            origins: Gets credentials for any web page.
            code-source: Hands over one-time codes for other apps.
            keychain: Has keychain items.
            verifiers: Has password verifiers.
            sign-in: Has a current user.
            """),
        SwiftVocabulary(
            "SavedCredential.Kind", ["password"],
            """
            The kind of a credential. Later versions of the service may have other kinds, which are not filled.
            password: A user name and a password.
            """),
        SwiftVocabulary(
            "CredentialService.Match", Words.matches,
            """
            Where a credential is filled besides its service.
            exact: Nowhere else.
            site: In browsers at every host of the same registrable domain.
            """),
        SwiftVocabulary(
            "AssociatedDomainState.SiteState", Words.siteStates,
            """
            What a site states about the app.
            approved: The site lists the app.
            notNeeded: The site is not needed: the administrator or the user approved the domain.
            notListing: The site does not list the app.
            failed: The site could not be reached, or its answer not be used.
            notFetched: The site has not been asked yet.
            """),
        SwiftVocabulary(
            "AssociatedDomainState.UserState", Words.userStates,
            """
            What the user decided about the app and the domain.
            approved: Approved.
            denied: Denied.
            silent: Nothing, and no decision is needed.
            needed: Nothing, and a decision is needed.
            """),
    ]
}
