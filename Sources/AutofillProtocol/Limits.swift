// SPDX-License-Identifier: Apache-2.0

/// Every limit of the wire. `hello` returns those in `ClientLimits`, and protocol.md lists them; its text has the validity of a
/// site association, and the protocol versions.
package enum Limits {
    /// The protocol versions that this build supports.
    package static let protocolVersions = 1...1
    /// Bytes of one line, the line feed not counted.
    package static let lineBytes = 64 * 1024
    /// Bytes of the longest answer.
    package static let answerBytes = 8 << 20
    /// Levels of arrays and objects in one line.
    package static let depth = 16
    /// Bytes of a request's id, when it is a string.
    package static let idBytes = 64
    /// Bytes of a user name.
    package static let userBytes = 1024
    /// Bytes of a password that is saved.
    package static let passwordBytes = 4096
    /// Bytes of a passphrase.
    package static let passphraseBytes = 1024
    /// Fewest bytes of a new passphrase (NIST SP 800-63B-4, 3.1.1.2).
    package static let passphraseMinimumBytes = 8
    /// Bytes of a vault's key.
    package static let keyBytes = 32
    /// Bytes of a recovery key as it is typed, with the separators of its groups.
    package static let recoveryKeyBytes = 64
    /// Bytes of a slot's label.
    package static let labelBytes = 64
    /// Bytes of a file's path (PATH_MAX, without its end).
    package static let pathBytes = 4095
    /// Unicode scalars of a password rules descriptor.
    package static let rulesScalars = 4096
    /// Fields of one form.
    package static let formFields = 64
    /// Bytes of a field's or form's id.
    package static let fieldIDBytes = 256
    /// Bytes of a field's label, placeholder or pattern.
    package static let fieldWordsBytes = 1024
    /// Labels of the buttons of a form, and bytes of the URL that it is sent to.
    package static let submitLabels = 8
    package static let actionBytes = 2048
    /// Entries of one page of a list, at most and where none is given.
    package static let listLimit = 500
    package static let listDefault = 100
    /// Days after which the user can have a password count as old.
    package static let oldPasswordDays = 36_500
    /// Problems of one password, and kinds of problems in one answer; a later version may have more than this one.
    package static let passwordProblems = 32
    /// Requests of one connection that wait (for a key derivation, for the user) at a time.
    package static let waitingRequests = 32
    /// Associated domains of an app whose credentials are suggested beside the site's own.
    package static let relatedDomains = 32
    /// Offers that wait to be accepted or declined: for one app and service, and in all.
    package static let pendingOffersPerService = 32
    package static let pendingOffers = 1000
    /// Those of one app, once half of all are in use.
    package static let pendingOffersPerApp = 250
    /// Forms of one connection that were sent and whose outcome is not known, and for how long they can be confirmed.
    package static let pendingSubmissions = 8
    package static let submissionMilliseconds = 3_600_000
    /// Bytes of answers that may wait to be read by one client before its requests are no longer read.
    package static let unreadAnswerBytes = 256 * 1024
    /// Events that may wait for one client that does not read.
    package static let waitingEvents = 1024
    /// Lines of one connection that are answered before those of another connection.
    package static let linesPerTurn = 64
    /// The time for which a connection's lines are answered, at least one, before those of another connection.
    package static let turnMicroseconds = 25
    /// How long a prompt waits for the user.
    package static let promptMilliseconds = 120_000
    /// Prompts that may wait to be shown, in the whole daemon.
    package static let waitingPrompts = 16
    /// The same of one program, or of one sandboxed app.
    package static let waitingPromptsPerApp = 4
    /// How long the user's no is valid before the same prompt may be shown again.
    package static let denialMilliseconds = 60_000
    /// The maximum of that time after several consecutive noes.
    package static let longestDenialMilliseconds = 3_600_000
    /// How often a prompt asks for the passphrase before it fails.
    package static let passphraseTries = 3
    /// How often a prompt asks for the number of an account before it fails.
    package static let pickTries = 3
    /// Characters of an app's name, of a bundle ID and of a path that a prompt shows, and bytes of them; longer ones are
    /// shortened in the middle. All of one prompt fit on one line to a pinentry.
    package static let promptNameCharacters = 64
    package static let promptPathCharacters = 100
    /// Services that a prompt shows as added, removed or matched differently; who changes more needs another proof.
    package static let promptedServices = 2
    /// The interval of checks whether the program of a prompt still runs.
    package static let promptPeerMilliseconds = 1000
    /// How long a peer that does not read its answers is waited for when the service stops.
    package static let stoppingMilliseconds = 500
    /// How long what has arrived is still answered when the service stops, as long as answers leave. Below the unit's
    /// TimeoutStopSec.
    package static let stoppingAnswersMilliseconds = 3000
    /// How long a connection may stay open without a finished `hello`.
    package static let helloMilliseconds = 10_000
    /// Bytes of a delegate's further evidence about the requester.
    package static let delegateEvidenceBytes = 256
    /// Bytes of the name of a window that a prompt belongs to.
    package static let parentWindowBytes = 256
    /// The number of web sites whose credentials a browser gets by the consent for all sites, and the time for this number.
    package static let browserSites = 20
    package static let browserSitesMilliseconds = 600_000
    /// How long the inspection of a peer's program, or of the files that a registration names, may take.
    package static let fileLookMilliseconds = 2000
    /// How long reading a user-owned program for its hash may take, with the time in the queue; after that it has none.
    package static let hashMilliseconds = 60_000
    /// Connections at a time, as far as there are descriptors; and those of one sandboxed app.
    package static let connections = 16_384
    package static let connectionsPerSandbox = 256
    /// Passphrases and passwords that may wait to be checked at a time, in the whole daemon.
    package static let waitingKeyDerivations = 8
    /// Terminals, and programs there, at which a passphrase is valid; with more, the least recently used one ends.
    package static let terminalProofs = 64
    /// Those of them that are apps' verifiers and not proof: of all apps, and of one.
    package static let waitingVerifiers = 4
    package static let waitingVerifiersPerApp = 2
    /// How long one of them may take, with the time in the queue.
    package static let keyDerivationMilliseconds = 120_000
    /// How long it may take to count the passwords that rules allow, with the time in the queue, and how many of one program (or one
    /// sandboxed app) wait for that.
    package static let rulesMilliseconds = 10_000
    package static let waitingRulesPerApp = 2
    /// Bytes of an `otpauth://` URI.
    package static let codeURIBytes = 4096
    /// Bytes of a one-time code.
    package static let codeBytes = 64
    /// How long an incoming code can be filled.
    package static let offeredCodeMilliseconds = 180_000
    /// Incoming codes that wait to be filled, in all.
    package static let offeredCodes = 64
    /// How long a suggested code of a counter remains the same code.
    package static let suggestedCodeMilliseconds = 600_000
    /// Suggested codes of counters that are remembered, in all.
    package static let suggestedCodes = 256
    /// Codes of either kind that wait for one app, or come from one.
    package static let codesPerApp = 32
    /// Bytes of a credential's label, of its notes, and of what it is filed under.
    package static let credentialLabelBytes = 256
    package static let notesBytes = 16 * 1024
    package static let collectionBytes = 256
    /// Tags of a credential, and bytes of each.
    package static let tags = 32
    package static let tagBytes = 64
    /// Fields that the user adds to a credential, and bytes of the name and of the value of each.
    package static let customFields = 32
    package static let customNameBytes = 128
    package static let customValueBytes = 4096
    /// Services that one credential is for.
    package static let servicesPerCredential = 16
    /// Former passwords of a credential.
    package static let formerPasswords = 10
    /// Passkeys that are kept with a credential, and bytes of each value of one.
    package static let passkeysPerCredential = 16
    package static let passkeyBytes = 8192
    /// Bytes of the address of a site in an import.
    package static let siteBytes = 2048
    /// Entries of one import, and bytes of them while they are not committed.
    package static let importEntries = 250_000
    package static let importBytes = 96 << 20
    /// How long an export waits until its next page is read.
    package static let exportMilliseconds = 60_000
    /// Bytes of the user's name for a machine.
    package static let deviceNameBytes = 255
    /// How long an invitation of a machine is valid.
    package static let invitationMilliseconds = 900_000
    /// How long after a change it is published to other machines, with all that changed until then.
    package static let publicationMilliseconds = 1000
    /// Credentials of one service; with proof there may be more.
    package static let credentialsPerService = 1000
    /// Those that one app makes from one start of the daemon to the next, whether or not it deletes them again; with proof
    /// there may be more.
    package static let credentialsPerApp = 10_000
    /// Bytes of a user-owned program whose content a grant can name: it is read whole when it connects.
    package static let programBytes = 1 << 30
    /// Bytes of a script whose content is read when its interpreter connects.
    package static let scriptBytes = 4 << 20
    /// Bytes of a keychain item.
    package static let itemDataBytes = 32 * 1024
    /// Bytes of the service and of the account of an item or a verifier, of an item's label, and of the name and of the text of an
    /// attribute.
    package static let itemNameBytes = 1024
    /// Attributes of an item, and bytes of all of them with their names.
    package static let itemAttributes = 64
    package static let itemAttributesBytes = 8 * 1024
    /// Keychain items, and verifiers, of all apps: so many of each.
    package static let items = 10_000
    /// Those that one program (or one sandboxed app) has made since the daemon started, without those that were deleted again; with proof
    /// there may be more.
    package static let itemsPerApp = 2500
    /// After how long a release of an app's own data to the same program is recorded again, and how many of those releases one
    /// program (or one sandboxed app) has in the log in that time.
    package static let ownReleaseMilliseconds = 3_600_000
    package static let ownReleasesPerApp = 1000
    /// Bytes of the requests of one program (or one sandboxed app) that wait, and of all.
    package static let waitingBytesPerApp = 4 << 20
    package static let waitingBytes = 64 << 20
    /// Bytes of a verifier's hash in PHC form.
    package static let verifierHashBytes = 512
    /// How long a verifier is not checked after the first wrong password; doubled by each further one, up to the longest.
    package static let verifierDelayMilliseconds = 250
    package static let verifierLongestDelayMilliseconds = 60_000

    /// Bytes of a site's association file.
    package static let associationBytes = 128 * 1024
    /// How long fetching a site's association may take in all.
    package static let associationMilliseconds = 10_000
    /// How long a request waits for a site's association before it is answered without.
    package static let associationWaitMilliseconds = 15_000
    /// How long a site's association may be used, in seconds: what the site states, within these bounds, and the default.
    package static let associationSeconds = 3600...7 * 86_400
    package static let associationDefaultSeconds = 86_400
    /// After how long a failed fetch is tried again: the first time, and at most (it doubles).
    package static let associationRetryMilliseconds = 300_000...86_400_000
    /// How long after an attempt `admin.domain.refresh` without proof starts no other one.
    package static let associationRefreshMilliseconds = 10_000
    /// Associations that are fetched at a time.
    package static let associationFetches = 16
    /// Those of them that are one app's.
    package static let associationFetchesPerApp = 4

    /// The limits that `hello` returns, by their names on the wire.
    package static let listed: [(name: StaticString, value: Int)] = [
        ("lineBytes", lineBytes), ("answerBytes", answerBytes), ("depth", depth), ("idBytes", idBytes),
        ("userBytes", userBytes),
        ("passwordBytes", passwordBytes), ("passphraseBytes", passphraseBytes),
        ("passphraseMinimumBytes", passphraseMinimumBytes), ("keyBytes", keyBytes),
        ("recoveryKeyBytes", recoveryKeyBytes), ("labelBytes", labelBytes), ("pathBytes", pathBytes),
        ("rulesScalars", rulesScalars),
        ("formFields", formFields), ("fieldIDBytes", fieldIDBytes), ("fieldWordsBytes", fieldWordsBytes),
        ("submitLabels", submitLabels), ("actionBytes", actionBytes),
        ("listLimit", listLimit),
        ("listDefault", listDefault), ("waitingRequests", waitingRequests),
        ("relatedDomains", relatedDomains),
        ("pendingOffersPerService", pendingOffersPerService), ("pendingOffers", pendingOffers),
        ("pendingOffersPerApp", pendingOffersPerApp), ("pendingSubmissions", pendingSubmissions),
        ("submissionMilliseconds", submissionMilliseconds),
        ("unreadAnswerBytes", unreadAnswerBytes), ("waitingEvents", waitingEvents),
        ("linesPerTurn", linesPerTurn), ("turnMicroseconds", turnMicroseconds),
        ("promptMilliseconds", promptMilliseconds), ("waitingPrompts", waitingPrompts),
        ("waitingPromptsPerApp", waitingPromptsPerApp), ("longestDenialMilliseconds", longestDenialMilliseconds),
        ("denialMilliseconds", denialMilliseconds), ("passphraseTries", passphraseTries), ("pickTries", pickTries),
        ("promptNameCharacters", promptNameCharacters), ("promptPathCharacters", promptPathCharacters),
        ("promptedServices", promptedServices),
        ("promptPeerMilliseconds", promptPeerMilliseconds), ("stoppingMilliseconds", stoppingMilliseconds),
        ("stoppingAnswersMilliseconds", stoppingAnswersMilliseconds),
        ("helloMilliseconds", helloMilliseconds), ("delegateEvidenceBytes", delegateEvidenceBytes),
        ("parentWindowBytes", parentWindowBytes), ("browserSites", browserSites),
        ("browserSitesMilliseconds", browserSitesMilliseconds),
        ("fileLookMilliseconds", fileLookMilliseconds),
        ("hashMilliseconds", hashMilliseconds), ("connections", connections),
        ("connectionsPerSandbox", connectionsPerSandbox), ("waitingKeyDerivations", waitingKeyDerivations),
        ("terminalProofs", terminalProofs),
        ("waitingVerifiers", waitingVerifiers), ("waitingVerifiersPerApp", waitingVerifiersPerApp),
        ("keyDerivationMilliseconds", keyDerivationMilliseconds),
        ("associationBytes", associationBytes), ("associationMilliseconds", associationMilliseconds),
        ("associationWaitMilliseconds", associationWaitMilliseconds), ("associationFetches", associationFetches),
        ("associationFetchesPerApp", associationFetchesPerApp),
        ("associationRefreshMilliseconds", associationRefreshMilliseconds),
        ("rulesMilliseconds", rulesMilliseconds), ("waitingRulesPerApp", waitingRulesPerApp),
        ("codeURIBytes", codeURIBytes), ("codeBytes", codeBytes),
        ("offeredCodeMilliseconds", offeredCodeMilliseconds), ("offeredCodes", offeredCodes),
        ("suggestedCodeMilliseconds", suggestedCodeMilliseconds), ("suggestedCodes", suggestedCodes),
        ("codesPerApp", codesPerApp), ("credentialLabelBytes", credentialLabelBytes), ("notesBytes", notesBytes),
        ("collectionBytes", collectionBytes), ("tags", tags), ("tagBytes", tagBytes), ("customFields", customFields),
        ("customNameBytes", customNameBytes), ("customValueBytes", customValueBytes),
        ("servicesPerCredential", servicesPerCredential), ("formerPasswords", formerPasswords),
        ("passkeysPerCredential", passkeysPerCredential), ("passkeyBytes", passkeyBytes), ("siteBytes", siteBytes),
        ("importEntries", importEntries), ("importBytes", importBytes),
        ("oldPasswordDays", oldPasswordDays), ("passwordProblems", passwordProblems),
        ("exportMilliseconds", exportMilliseconds), ("deviceNameBytes", deviceNameBytes),
        ("invitationMilliseconds", invitationMilliseconds), ("publicationMilliseconds", publicationMilliseconds),
        ("credentialsPerService", credentialsPerService),
        ("credentialsPerApp", credentialsPerApp), ("programBytes", programBytes),
        ("scriptBytes", scriptBytes),
        ("itemDataBytes", itemDataBytes), ("itemNameBytes", itemNameBytes), ("itemAttributes", itemAttributes),
        ("itemAttributesBytes", itemAttributesBytes), ("items", items),
        ("itemsPerApp", itemsPerApp),
        ("ownReleaseMilliseconds", ownReleaseMilliseconds), ("ownReleasesPerApp", ownReleasesPerApp),
        ("waitingBytesPerApp", waitingBytesPerApp), ("waitingBytes", waitingBytes),
        ("verifierHashBytes", verifierHashBytes), ("verifierDelayMilliseconds", verifierDelayMilliseconds),
        ("verifierLongestDelayMilliseconds", verifierLongestDelayMilliseconds),
    ]
}
