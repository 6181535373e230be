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
        AppQuota(
            "Microseconds for which a program is answered at a time while another one is active.",
            app: Limits.turnMicroseconds),
        AppQuota("The same while no other program is active.", app: Limits.loneTurnMicroseconds),
        AppQuota(
            "Microseconds for which a program is answered, while another one is active, before it gets a fraction of the time.",
            app: Limits.loopBurstMicroseconds),
        AppQuota("n, where that fraction is 1/n.", app: Limits.loopQuota),
        AppQuota(
            "Milliseconds for which a program counts as active after its last answer.",
            app: Limits.awaitedMilliseconds),
        AppQuota(
            "Prompts that wait; the first of each app is shown before the second of any.",
            app: Limits.waitingPromptsPerApp, all: Limits.waitingPrompts),
        AppQuota(
            "Passwords that wait to be checked against verifiers.", app: Limits.waitingVerifiersPerApp,
            all: Limits.waitingVerifiers),
        AppQuota("Proofs that wait to be checked.", all: Limits.waitingKeyDerivations),
        AppQuota("Costly password rules that wait to be counted.", app: Limits.waitingRulesPerApp),
        AppQuota(
            "Milliseconds that may be charged for counting them in advance; past that, more rules are refused.",
            app: Limits.rulesBurstMilliseconds),
        AppQuota("Milliseconds that are charged for each millisecond of counting.", app: Limits.rulesQuota),
        AppQuota(
            "Keychain items and verifiers that the app has created since the daemon started, less those that were deleted; in all that many of each.",
            app: Limits.itemsPerApp, all: Limits.items),
        AppQuota("Credentials that the app has created since the daemon started.", app: Limits.credentialsPerApp),
        AppQuota(
            "Pending offers; the app's number counts once half of all are taken.", app: Limits.pendingOffersPerApp,
            all: Limits.pendingOffers),
        AppQuota("One-time codes that came in.", app: Limits.codesPerApp, all: Limits.offeredCodes),
        AppQuota("Suggested codes of counters.", app: Limits.codesPerApp, all: Limits.suggestedCodes),
        AppQuota(
            "Entries an hour in the release log about the app's own data; those about other data have no limit.",
            app: Limits.ownReleasesPerApp),
        AppQuota(
            "Refusals that are entered in the release log at once.", app: Limits.recordedRefusalsPerApp,
            all: Limits.recordedRefusals),
        AppQuota(
            "Milliseconds until one more may be entered.", app: Limits.recordedRefusalMilliseconds,
            all: Limits.recordedRefusalMilliseconds),
        AppQuota(
            "Lines that are written to the journal at once.", app: Limits.journalLinesPerApp, all: Limits.journalLines),
        AppQuota(
            "Milliseconds until one more may be written.", app: Limits.journalMillisecondsPerApp,
            all: Limits.journalMilliseconds),
        AppQuota(
            "Passed descriptors, and sockets, that wait to be closed or are being closed, before no more are accepted.",
            all: Limits.passedDescriptors),
        AppQuota(
            "Sites that are asked at a time.", app: Limits.associationFetchesPerApp, all: Limits.associationFetches),
    ]
}
