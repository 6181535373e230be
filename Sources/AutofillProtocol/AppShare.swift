// SPDX-License-Identifier: Apache-2.0

/// What one app may hold of what all share. What it takes counts against the sandboxed app or else the program that the kernel
/// names, however many connections and bundle IDs that has; what a delegate takes counts against whom it speaks for.
/// Credentials, offers and codes count against the bundle ID.
package struct AppShare: Sendable {
    /// What is held, for people.
    package let what: String
    /// How much of it one connection may hold, one app, and all together; nil where another number bounds it.
    package let ofConnection, ofApp, ofAll: Int?

    private init(_ what: String, connection: Int? = nil, app: Int? = nil, all: Int? = nil) {
        self.what = what
        (ofConnection, ofApp, ofAll) = (connection, app, all)
    }

    /// All shares: what is not here is not kept for an app.
    package static let table = [
        AppShare(
            "Connections; a program outside every sandbox has seven eighths of all.", app: Limits.connectionsPerSandbox,
            all: Limits.connections),
        AppShare("Bytes of a line that has not ended.", connection: Limits.lineBytes),
        AppShare("Bytes of answers that wait to be read.", connection: Limits.unreadAnswerBytes),
        AppShare("Events that wait to be read.", connection: Limits.waitingEvents),
        AppShare("Requests that wait.", connection: Limits.waitingRequests),
        AppShare("Bytes of requests that wait.", app: Limits.waitingBytesPerApp, all: Limits.waitingBytes),
        AppShare("Microseconds of answers before others have their turn.", app: Limits.turnMicroseconds),
        AppShare(
            "Microseconds of answers, while others are served too, before it has no more than a share of the time.",
            app: Limits.loopBurstMicroseconds),
        AppShare("One part in so many of the time is that share.", app: Limits.loopShare),
        AppShare(
            "Questions to the person that wait; of several apps' each has one shown before any has its second.",
            app: Limits.waitingPromptsPerApp, all: Limits.waitingPrompts),
        AppShare(
            "Passwords that wait to be checked against verifiers.", app: Limits.waitingVerifiersPerApp,
            all: Limits.waitingVerifiers),
        AppShare("Proofs that wait to be checked.", all: Limits.waitingKeyDerivations),
        AppShare("Costly password rules that wait to be counted.", app: Limits.waitingRulesPerApp),
        AppShare(
            "Milliseconds that counting them is ahead of its share of the time, at most.",
            app: Limits.rulesBurstMilliseconds),
        AppShare("One part in so many of the time is that share.", app: Limits.rulesShare),
        AppShare(
            "Keychain items and verifiers that it has made since the start; in all so many of each.",
            app: Limits.itemsPerApp, all: Limits.items),
        AppShare("Credentials that it has made since the start.", app: Limits.credentialsPerApp),
        AppShare(
            "Pending offers; the app's number counts once half of all are taken.", app: Limits.pendingOffersPerApp,
            all: Limits.pendingOffers),
        AppShare("One-time codes that came in.", app: Limits.codesPerApp, all: Limits.offeredCodes),
        AppShare("Suggested codes of counters.", app: Limits.codesPerApp, all: Limits.suggestedCodes),
        AppShare(
            "Entries an hour in the record of releases of what is its own; others' count without a bound.",
            app: Limits.ownReleasesPerApp),
        AppShare(
            "Refusals in the record of releases at once.", app: Limits.recordedRefusalsPerApp,
            all: Limits.recordedRefusals),
        AppShare(
            "Milliseconds until one more.", app: Limits.recordedRefusalMilliseconds,
            all: Limits.recordedRefusalMilliseconds),
        AppShare("Lines of the journal at once.", app: Limits.journalLinesPerApp, all: Limits.journalLines),
        AppShare(
            "Milliseconds until one more.", app: Limits.journalMillisecondsPerApp, all: Limits.journalMilliseconds),
        AppShare("Descriptors that came with `hello` and wait to be closed.", all: Limits.passedDescriptors),
        AppShare(
            "Sites that are asked at a time.", app: Limits.associationFetchesPerApp, all: Limits.associationFetches),
    ]
}

/// Numbers that no client is told: how the loop's time is shared (Administration.md, "What one app may hold"), how much is
/// remembered, and how much is written where people look for faults.
extension Limits {
    /// One part in so many of the loop's time is one program's, while others are served too, and how long it may be answered
    /// before that counts.
    package static let loopShare = 3
    package static let loopBurstMicroseconds = 10_000
    /// How long others count as served too after they were.
    package static let contentionMilliseconds = 10_000
    /// One part in so many of the time is counted for one program's costly rules, once that is so far ahead.
    package static let rulesShare = 4
    package static let rulesBurstMilliseconds = 2000
    /// Lines of the journal at once, of one app and of all, and after how many milliseconds each may write one more.
    package static let journalLinesPerApp = 30
    package static let journalMillisecondsPerApp = 333
    package static let journalLines = 300
    package static let journalMilliseconds = 33
    /// Refusals in the record of releases at once, of one app and of all, and after how many milliseconds there may be one more.
    /// The record has room for some 150,000 entries and for a year: at twelve an hour refusals leave most of it to the
    /// releases, however long a program asks for what it does not get.
    package static let recordedRefusalsPerApp = 50
    package static let recordedRefusals = 200
    package static let recordedRefusalMilliseconds = 300_000
    /// Apps, and programs, whose share of lines is remembered at least.
    package static let rememberedApps = 256
    /// Lines of one app that are remembered, so that the same is not written twice in a second.
    package static let rememberedLines = 128
    /// Reasons that are remembered to have been logged for a connection's forms.
    package static let rememberedFormReasons = 256
    /// Recent noes of the person.
    package static let rememberedDenials = 1024
    /// Reads of apps' own that are remembered to be on record, and the apps whose share of them is.
    package static let rememberedOwnReads = 8192
    package static let rememberedReaders = 1024
    /// Services for which a connection's standing decision is remembered.
    package static let rememberedDecisions = 128
    /// Password generators that are remembered.
    package static let rememberedRules = 64
    /// Descriptors that came with `hello` and wait to be closed before no more are taken.
    package static let passedDescriptors = 64
}
