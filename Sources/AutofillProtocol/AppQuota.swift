// SPDX-License-Identifier: Apache-2.0

/// One app's quota of a common resource. It applies to the sandboxed app, or else to the program that the kernel reports, for
/// all its connections and bundle IDs; a delegate's use counts for the app for which it acts.
/// Credentials, offers and codes count against the bundle ID.
package struct AppQuota: Sendable {
    /// What is held, for people.
    package let what: String
    /// The limits of one connection, of one app, and of all together; nil if another limit bounds it.
    package let ofConnection, ofApp, ofAll: Int?

    private init(_ what: String, connection: Int? = nil, app: Int? = nil, all: Int? = nil) {
        self.what = what
        (ofConnection, ofApp, ofAll) = (connection, app, all)
    }

    /// All quotas: what is not here is not stored for an app.
    package static let table = [
        AppQuota(
            "Connections; a program outside every sandbox has seven eighths of all.", app: Limits.connectionsPerSandbox,
            all: Limits.connections),
        AppQuota("Bytes of a line that has not ended.", connection: Limits.lineBytes),
        AppQuota("Bytes of answers that wait to be read.", connection: Limits.unreadAnswerBytes),
        AppQuota("Events that wait to be read.", connection: Limits.waitingEvents),
        AppQuota("Requests that wait.", connection: Limits.waitingRequests),
        AppQuota("Bytes of requests that wait.", app: Limits.waitingBytesPerApp, all: Limits.waitingBytes),
        AppQuota("Microseconds of answers before others have their turn.", app: Limits.turnMicroseconds),
        AppQuota("The same while no other is awaited.", app: Limits.loneTurnMicroseconds),
        AppQuota(
            "Microseconds of answers, while another is awaited, before it has no more than a share of the time.",
            app: Limits.loopBurstMicroseconds),
        AppQuota("One part in so many of the time is that share.", app: Limits.loopQuota),
        AppQuota(
            "Milliseconds for which one that was answered, and asks nothing, is awaited.",
            app: Limits.awaitedMilliseconds),
        AppQuota(
            "Questions to the user that wait; of several apps' each has one shown before any has its second.",
            app: Limits.waitingPromptsPerApp, all: Limits.waitingPrompts),
        AppQuota(
            "Passwords that wait to be checked against verifiers.", app: Limits.waitingVerifiersPerApp,
            all: Limits.waitingVerifiers),
        AppQuota("Proofs that wait to be checked.", all: Limits.waitingKeyDerivations),
        AppQuota("Costly password rules that wait to be counted.", app: Limits.waitingRulesPerApp),
        AppQuota(
            "Milliseconds that counting them is ahead of its share of the time, at most.",
            app: Limits.rulesBurstMilliseconds),
        AppQuota("One part in so many of the time is that share.", app: Limits.rulesQuota),
        AppQuota(
            "Keychain items and verifiers that it has made since the start and that are there; in all so many of each.",
            app: Limits.itemsPerApp, all: Limits.items),
        AppQuota("Credentials that it has made since the start.", app: Limits.credentialsPerApp),
        AppQuota(
            "Pending offers; the app's number counts once half of all are taken.", app: Limits.pendingOffersPerApp,
            all: Limits.pendingOffers),
        AppQuota("One-time codes that came in.", app: Limits.codesPerApp, all: Limits.offeredCodes),
        AppQuota("Suggested codes of counters.", app: Limits.codesPerApp, all: Limits.suggestedCodes),
        AppQuota(
            "Entries an hour in the record of releases of what is its own; others' count without a bound.",
            app: Limits.ownReleasesPerApp),
        AppQuota(
            "Refusals in the record of releases at once.", app: Limits.recordedRefusalsPerApp,
            all: Limits.recordedRefusals),
        AppQuota(
            "Milliseconds until one more.", app: Limits.recordedRefusalMilliseconds,
            all: Limits.recordedRefusalMilliseconds),
        AppQuota("Lines of the journal at once.", app: Limits.journalLinesPerApp, all: Limits.journalLines),
        AppQuota(
            "Milliseconds until one more.", app: Limits.journalMillisecondsPerApp, all: Limits.journalMilliseconds),
        AppQuota("Passed descriptors, and sockets, that wait to be closed.", all: Limits.passedDescriptors),
        AppQuota(
            "Sites that are asked at a time.", app: Limits.associationFetchesPerApp, all: Limits.associationFetches),
    ]
}
