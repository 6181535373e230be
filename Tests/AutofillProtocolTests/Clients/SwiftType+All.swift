// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension SwiftType {
    static func all() throws -> [SwiftType] {
        try [
            SwiftType(
                "AssociatedDomainState", DomainReport.self,
                "What the site and the user decided about the app and one of its associated domains.",
                """
                entry site isApproved=approved siteState siteEvidence userState userEvidence
                fetched:Date validUntil:Date/expires lastAttempt:Date nextAttempt:Date files
                """),
            SwiftType(
                "AssociatedDomainState.SiteFile", AssociationFileReport.self,
                "The result for one of the two locations of a site's association file.",
                """
                name=file status
                failure: String? = report.failure // Why it could not be used, `timed-out`, `redirected` and others (protocol.md, "Site associations"); nil if it was read.
                detail
                listsApp: Bool = !report.apps.isEmpty // Whether it lists this app.
                """),
            SwiftType(
                "AutofillDiagnosis", Diagnose.Answer.self,
                "Every condition of AutoFill for this app, met or not. Read it when nothing is offered.",
                "offersStrongPassword=strongPassword fillsSavedCredentials=savedCredentials conditions"),
            SwiftType(
                "AutofillDiagnosis.Condition", ConditionReport.self, "One condition.",
                "id=condition title isHeld evidence reason"),
            SwiftType(
                "AutofillReason", ReasonReport.self, "Why something is withheld or refused, and its fix.",
                """
                audience code=reason message fix retry
                event // For `afterEvent`: the event.
                retryAfter: Duration? = report.retryAfterMilliseconds.map { .milliseconds($0) } // For `afterDelay`: the delay, if it is known.
                parameters
                """),
            SwiftType(
                "AutofillSetting", SettingReport.self, "A setting of the service: its value, and who set it.",
                conformances: "Hashable, Sendable, Identifiable",
                "id=setting value isHidden standard/default source isMandatory summary"),
            SwiftType(
                "AutofillSettings", AppSettings.self, "The settings that decide about the app.",
                "isKeychainOn=keychain isAutoFillOn=autoFill areStrongPasswordsOn=strongPasswords"),
            SwiftType(
                "AutofillStatus", Status.Answer.self,
                "The state of the service: to an app without a registration, or in a sandbox, that of the vault alone.",
                "protocolVersion/protocol vault daemon"),
            SwiftType(
                "AutofillStatus.Daemon", DaemonState.self, "It shows how much data there is, and none of the data.",
                """
                version/daemonVersion isEphemeral credentials pendingOffers vaultPath work isMemoryLocked
                isDerivationLocked settingsPath clients apps problems
                """),
            SwiftType(
                "AutofillStatus.VaultWork", Status.VaultWork.self, "The progress of long work on the whole vault.",
                "method done all"),
            SwiftType(
                "Greeting", Hello.Answer.self,
                "What the service found out about the app when it connected, and its state then.",
                """
                protocolVersion/protocol serviceVersion=daemonVersion isEphemeral capabilities vault
                isKeychainOn: Bool = report.settings?.keychain ?? false // Whether the keychain is on.
                isAutoFillOn: Bool = report.settings?.autoFill ?? false // Whether AutoFill is on.
                areStrongPasswordsOn: Bool = report.settings?.strongPasswords ?? false // Whether strong passwords are on for this app.
                app
                """),
            SwiftType(
                "Greeting.VerifiedIdentity", VerifiedApp.self, "What was verified of the app.",
                """
                bundleID assurance registration associatedDomainCount
                reasonCodes: [AutofillReason.Code] = report.reasonNames.map(AutofillReason.Code.init) // Why AutoFill does not work for this app, whatever the form; `diagnose` has the fix of each.
                """),
            SwiftType(
                "KeychainItem", KeychainSearch.FoundItem.self,
                "A keychain item without its bytes, as a search returns it.",
                conformances: "Hashable, Sendable, Identifiable",
                """
                id=item // The id of the item, which never changes. Everything else may be the same for several items.
                accessGroup
                attributes: [String: String] = report.details.attributes ?? [:] // What it is found by; `service` and `account` are those of its ``KeychainPasswordItem``, if it is one.
                label=details.label contentType=details.contentType collection=details.collection
                created:Date // When it was created; nil if it ``isWithheld``.
                modified:Date // When it was last changed; nil if it ``isWithheld``.
                isWithheld=withheld
                """),
            SwiftType(
                "OneTimeCodeSuggestion", AutofillProtocol.OneTimeCodeSuggestion.self,
                "The one-time codes that can be filled into a form.", "fields codes"),
            SwiftType(
                "SuggestedOneTimeCode", SuggestedCode.self,
                "A code that can be filled. ``AutofillSession/fill(_:into:interaction:)`` returns the code itself.",
                conformances: "Hashable, Sendable, Identifiable", "id=code/codeID source user expires:Date"),
            SwiftType(
                "PendingOffer", OfferReport.self,
                "An offer that is not yet accepted or declined: what an unfinished sign-up left behind.",
                conformances: "StrongPasswordOffer, Hashable", "offer service formID length created:Date expires:Date"),
            SwiftType(
                "SaveResult", SavedAnswer.self, "The result of saving a credential.", "id=credential isChanged=changed"),
            SwiftType(
                "SavedCredential", CredentialSummary.self,
                "A credential in the vault, without its password: Apple's `ASPasswordCredentialIdentity`.",
                conformances: "Hashable, Sendable, Identifiable",
                """
                id=credential
                kind: Kind = Kind(rawValue: report.kind) // What it is.
                services: [CredentialService] = try Self.services(report) // All services that it is for; the first is the one that it was saved for.
                user label tags collection
                version // Another one after each change; pass it as `ifVersion` to change only this version.
                created:Date modified:Date lastUsed:Date
                """),
            SwiftType(
                "SavedCredentialsSuggestion", AutofillProtocol.SavedCredentialsSuggestion.self,
                "The saved credentials for the site of a form.", "fields credentials related shared hasMore"),
            SwiftType(
                "StrongPasswordSuggestion", AutofillProtocol.StrongPasswordSuggestion.self,
                "A strong password that is in the vault and pending. ``AutofillSession/fill(_:)`` returns the password itself.",
                """
                offer fields rules length count
                bits: Double = try number(report.bits) // The base-2 logarithm of the count, to two decimals, rounded down.
                style expires:Date diagnostics
                """),
            SwiftType(
                "SubmissionResult", AutofillConfirm.Answer.self, "The result of a submitted form.",
                """
                outcome
                credential: SavedCredential.ID? = report.credential // The credential in the vault, if there is one.
                isChanged=changed
                """),
        ]
    }
}
