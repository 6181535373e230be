// SPDX-License-Identifier: Apache-2.0

/// Every number of the wire that limits something. `hello` tells them; protocol.md lists them.
package enum Limits {
    /// The protocol versions this build speaks.
    package static let protocolVersions = 1...1
    /// Bytes of one line, the line feed not counted.
    package static let lineBytes = 64 * 1024
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
    /// Bytes of a recovery key as it is typed, with whatever stands between its groups.
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
    /// Entries of one page of a list, at most and where none is given.
    package static let listLimit = 500
    package static let listDefault = 100
    /// Requests of one connection that wait (for a key derivation, for a person) at a time.
    package static let waitingRequests = 32
    /// Associated domains of an app whose credentials are suggested beside the site's own.
    package static let relatedDomains = 32
    /// Offers that wait to be accepted or declined: for one app and service, and in all.
    package static let pendingOffersPerService = 32
    package static let pendingOffers = 1000
    /// Bytes of answers that may wait to be read by one client before its requests are no longer read.
    package static let unreadAnswerBytes = 256 * 1024
    /// Events that may wait for one client that does not read.
    package static let waitingEvents = 1024
    /// Lines of one connection that are answered before another connection has its turn.
    package static let linesPerTurn = 64
    /// How long a prompt waits for the person.
    package static let promptMilliseconds = 120_000
    /// How long a peer that does not read its answers is waited for when the service stops.
    package static let stoppingMilliseconds = 500
    /// How long a connection may stay open without a finished `hello`.
    package static let helloMilliseconds = 10_000
    /// Passphrases that may wait to be checked at a time, in the whole daemon.
    package static let waitingKeyDerivations = 8

    /// What `hello` tells, by its names on the wire.
    package static let told: [(name: StaticString, value: Int)] = [
        ("lineBytes", lineBytes), ("depth", depth), ("idBytes", idBytes), ("userBytes", userBytes),
        ("passwordBytes", passwordBytes), ("passphraseBytes", passphraseBytes),
        ("passphraseMinimumBytes", passphraseMinimumBytes), ("keyBytes", keyBytes),
        ("recoveryKeyBytes", recoveryKeyBytes), ("labelBytes", labelBytes), ("pathBytes", pathBytes),
        ("rulesScalars", rulesScalars),
        ("formFields", formFields), ("fieldIDBytes", fieldIDBytes), ("fieldWordsBytes", fieldWordsBytes),
        ("listLimit", listLimit),
        ("listDefault", listDefault), ("waitingRequests", waitingRequests),
        ("relatedDomains", relatedDomains),
        ("pendingOffersPerService", pendingOffersPerService), ("pendingOffers", pendingOffers),
        ("unreadAnswerBytes", unreadAnswerBytes), ("waitingEvents", waitingEvents),
        ("linesPerTurn", linesPerTurn),
        ("promptMilliseconds", promptMilliseconds), ("stoppingMilliseconds", stoppingMilliseconds),
        ("helloMilliseconds", helloMilliseconds), ("waitingKeyDerivations", waitingKeyDerivations),
    ]
}
