// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillProtocol
import Settings

extension GeneratedTable {
    static var limits: GeneratedTable {
        GeneratedTable(
            "limits", ["limit", "value", ""],
            Limits.listed.map { ["`\($0.name)`", grouped($0.value), meanings["\($0.name)"] ?? "?"] })
    }

    static var shares: GeneratedTable {
        func cell(_ number: Int?) -> String { number.map(grouped) ?? "" }
        return GeneratedTable(
            "shares", ["", "a connection", "an app", "all"],
            AppQuota.table.map { [$0.what, cell($0.ofConnection), cell($0.ofApp), cell($0.ofAll)] })
    }

    static var ownLimits: GeneratedTable {
        GeneratedTable("own-limits", ["", "number"], OwnLimit.table.map { [$0.what, grouped($0.value)] })
    }

    static var settings: GeneratedTable {
        GeneratedTable(
            "settings", ["setting", "type", "values", "default", ""],
            Setting.allCases.map { setting in
                ["`\(setting.name)`", setting.type, setting.range, "`\(json(setting.defaultValue))`", setting.summary]
            })
    }

    static let meanings: [String: String] = [
        "lineBytes": "Bytes of a line, its LF not counted.",
        "answerBytes": "Bytes of the longest answer; one that would be longer is refused with `answer-too-long`.",
        "depth": "Levels of arrays and objects.",
        "idBytes": "Bytes of a request's `id`.",
        "userBytes": "Bytes of a user name.",
        "passwordBytes": "Bytes of a password that is saved.",
        "passphraseBytes": "Bytes of a passphrase.",
        "passphraseMinimumBytes": "Fewest bytes of a new passphrase (NIST SP 800-63B-4, 3.1.1.2).",
        "keyBytes": "Bytes of a key.",
        "recoveryKeyBytes": "Bytes of a recovery key as it is typed.",
        "labelBytes": "Bytes of a slot's label.",
        "pathBytes": "Bytes of a file's path.",
        "rulesScalars": "Characters (Unicode scalars) of `passwordRules`.",
        "formFields": "Fields of a form.",
        "fieldIDBytes": "Bytes of a field's `id`.",
        "fieldWordsBytes": "Bytes of a field's `label`, `placeholder` or `pattern`.",
        "relatedDomains": "Associated domains whose credentials are suggested beside the site's own.",
        "listLimit": "Entries of a page.",
        "listDefault": "Entries of a page where `limit` is absent.",
        "waitingRequests": "Requests of a connection that wait at a time.",
        "pendingOffersPerService": "Pending offers of an app for a service.",
        "pendingOffers": "Pending offers in all.",
        "pendingOffersPerApp": "Those of one app, once half of `pendingOffers` is taken.",
        "unreadAnswerBytes": "Bytes of answers that may wait to be read; past it the client's requests are not read.",
        "waitingEvents":
            "Events that wait for a client that does not read; past it they are lost, and the client is notified which.",
        "linesPerTurn": "Lines of a connection that are answered before those of others.",
        "turnMicroseconds": "How long a connection's lines are answered, at least one, before those of others.",
        "promptMilliseconds": "How long a prompt waits for the user.",
        "waitingPrompts": "Questions to the user that wait to be shown, in the whole daemon.",
        "waitingPromptsPerApp": "The same of one program, or of one sandboxed app.",
        "longestDenialMilliseconds": "The longest denial: each one after the other is valid twice as long.",
        "denialMilliseconds": "How long the user's denial is valid before the same is asked again.",
        "passphraseTries": "How often a prompt asks for the passphrase.",
        "submitLabels": "Buttons of a form whose labels are sent.",
        "actionBytes": "Bytes of the address that a form is sent to.",
        "pickTries": "How often a prompt asks for the number of an account.",
        "promptNameCharacters": "Characters of a name that a prompt shows, and bytes of it.",
        "promptPathCharacters": "Characters of a path that a prompt shows, and bytes of it.",
        "promptedServices": "Services that a prompt shows as added, removed or matched differently.",
        "promptPeerMilliseconds": "How often the daemon checks whether a program that a prompt names still runs.",
        "stoppingAnswersMilliseconds":
            "How long received requests are still answered when the service stops, while answers are sent.",
        "stoppingMilliseconds": "How long the stopping service waits for a peer that does not read.",
        "helloMilliseconds": "How long a connection may stay without a finished `hello`.",
        "delegateEvidenceBytes": "Bytes of a delegate's further statement about the requester.",
        "parentWindowBytes": "Bytes of the name of a window that a prompt belongs to.",
        "browserSites":
            "Web sites within `browserSitesMilliseconds` for which a browser gets what is saved by a consent to all sites; then the user is prompted again.",
        "browserSitesMilliseconds": "The time in which `browserSites` are counted.",
        "fileLookMilliseconds":
            "How long an inspection of a peer's program, or of the files of its registration, may last; past that it is refused.",
        "hashMilliseconds": "How long reading a program for its hash may last; past that it has none.",
        "associationBytes": "Bytes of a site's association file.",
        "associationMilliseconds": "How long a fetch from a site may last, in all.",
        "associationWaitMilliseconds": "How long a request waits for a fetch.",
        "associationFetches": "Sites that are fetched at a time, and at one `hello`.",
        "associationFetchesPerApp": "Those of them that are fetched for one app.",
        "associationRefreshMilliseconds":
            "How long after an attempt `admin.domain.refresh` without proof starts no other.",
        "connections": "Connections at a time, as far as there are descriptors.",
        "connectionsPerSandbox": "The same of one sandboxed app.",
        "waitingKeyDerivations": "Passphrases and passwords that may wait to be checked, in the whole daemon.",
        "terminalProofs":
            "Terminals, and programs there, at which a passphrase is valid; past that the least recently used one ends.",
        "waitingVerifiers": "Those of them that are for verifiers, of all apps.",
        "waitingVerifiersPerApp": "The same of one app.",
        "keyDerivationMilliseconds": "How long one of them may last, its waiting included; past that it is refused.",
        "rulesMilliseconds":
            "How long counting the passwords that costly rules allow may last, its waiting included.",
        "waitingRulesPerApp": "How many of these of one program, or of one sandboxed app, wait.",
        "codeURIBytes": "Bytes of an `otpauth://` URI.",
        "codeBytes": "Bytes of a one-time code.",
        "pendingSubmissions":
            "Forms of one connection that were sent and not settled; with more, the oldest is withdrawn.",
        "submissionMilliseconds": "How long a form that was sent can be confirmed.",
        "offeredCodeMilliseconds": "How long an incoming code can be filled.",
        "offeredCodes": "Incoming codes that wait, in all.",
        "suggestedCodeMilliseconds": "How long a counter's suggestion is the same code.",
        "suggestedCodes": "Cached suggestions of counters' codes, in all.",
        "codesPerApp": "Incoming codes from one app, and suggestions of counters' codes to one.",
        "credentialsPerService": "Credentials of a service. With proof there may be more.",
        "credentialLabelBytes": "Bytes of a credential's label.",
        "notesBytes": "Bytes of a credential's notes.",
        "collectionBytes": "Bytes of a credential's collection.",
        "tags": "Tags of a credential.",
        "tagBytes": "Bytes of one of them.",
        "customFields": "The user's own fields of a credential.",
        "customNameBytes": "Bytes of the name of one of them.",
        "customValueBytes": "Bytes of the value of one of them.",
        "servicesPerCredential": "Services that one credential is for.",
        "formerPasswords": "Former passwords of an imported entry.",
        "passkeysPerCredential": "Passkeys of a credential, which came with an import.",
        "passkeyBytes": "Bytes of a passkey's private key in base64url.",
        "siteBytes": "Bytes of an address of an imported entry.",
        "importEntries": "Entries of an import.",
        "importBytes": "Bytes of an import's entries, sealed in memory.",
        "oldPasswordDays": "The age from which a password can be assessed as old.",
        "passwordProblems": "Kinds of problems of one password.",
        "exportMilliseconds": "How long an export waits until its next page is read.",
        "deviceNameBytes": "Bytes of the user's name for a machine.",
        "invitationMilliseconds": "How long the invitation of a machine is valid.",
        "publicationMilliseconds":
            "How long after a change it is published to the other machines, with all that changed until then.",
        "credentialsPerApp":
            "New credentials of one app from one start of the daemon to the next, deleted ones included. With proof more.",
        "scriptBytes": "Bytes of a script, up to which it identifies its interpreter.",
        "programBytes":
            "Bytes of a program that others than root can change, up to which a grant can name its content.",
        "itemDataBytes": "Bytes of a keychain item.",
        "itemNameBytes":
            "Bytes of an item's or verifier's namespace, of its account, of an item's label, and of an attribute's name and text.",
        "itemAttributes": "Attributes of an item.",
        "itemAttributesBytes": "Bytes of all of them with their names.",
        "itemsPerApp":
            "Those that one program, or one sandboxed app, has created since the daemon started, less those that were deleted again; with proof there may be more.",
        "ownReleaseMilliseconds":
            "After how long a release of an app's own data to the same program is recorded again.",
        "ownReleasesPerApp": "How many of those of one program, or of one sandboxed app, are recorded in that time.",
        "waitingBytesPerApp": "Bytes of the requests of one program, or of one sandboxed app, that wait.",
        "waitingBytes": "The same of all together.",
        "items": "Keychain items of all apps, and as many verifiers.",
        "verifierHashBytes": "Bytes of a verifier's hash.",
        "verifierDelayMilliseconds": "How long a verifier is not checked after the first wrong password.",
        "verifierLongestDelayMilliseconds": "The longest such delay.",
    ]

    /// `65536` as `65,536`.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text = "," + text }
            text = String(digit) + text
        }
        return text
    }

    static func json(_ value: ConfigurationValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .otherNumber: "?"
        case .string(let text): "\"\(text)\""
        case .array(let elements): "[\(elements.map(json).joined(separator: ", "))]"
        case .object(let members): "{\(members.map { "\"\($0.name)\": \(json($0.value))" }.joined(separator: ", "))}"
        }
    }
}
