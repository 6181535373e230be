// SPDX-License-Identifier: Apache-2.0

/// Limits that are not on the wire; each is in `AppQuota.table` or here.
extension Limits {
    /// The fraction of the loop's time for one program while another program is expected, and how long it may be answered
    /// before that applies.
    package static let loopQuota = 3
    package static let loopBurstMicroseconds = 10_000
    /// How long the next request of a program that was answered is expected: of one that makes a hundred requests a second.
    package static let awaitedMilliseconds = 20
    /// How long a program is answered before the next check for requests of another one, while none is expected.
    package static let loneTurnMicroseconds = 250
    /// The number of the last answered programs that are checked for an expected one.
    package static let awaitedPrograms = 16
    /// The fraction of the time that is charged for one program's costly rules, once it is ahead by this much.
    package static let rulesQuota = 4
    package static let rulesBurstMilliseconds = 2000
    /// Lines of the journal at once, of one app and of all, and after how many milliseconds each may write one more.
    package static let journalLinesPerApp = 30
    package static let journalMillisecondsPerApp = 333
    package static let journalLines = 300
    package static let journalMilliseconds = 33
    /// Refusals in the release log at once, of one app and of all, and after how many milliseconds there may be one more.
    /// The log has some 150,000 entries, or those of a year: at twelve an hour refusals leave most of it to the releases,
    /// however long a program repeats refused requests.
    package static let recordedRefusalsPerApp = 50
    package static let recordedRefusals = 200
    package static let recordedRefusalMilliseconds = 300_000
    /// Apps, and programs, whose quota of lines is remembered at least.
    package static let rememberedApps = 256
    /// Lines of one app that are remembered, so that the same is not written twice in a second.
    package static let rememberedLines = 128
    /// Reasons that are remembered to have been logged for a connection's forms.
    package static let rememberedFormReasons = 256
    /// Recent refusals of the user.
    package static let rememberedDenials = 1024
    /// The withdrawal of a prompt, counted within the shortest denial, that counts as a denial.
    package static let deniedWithdrawals = 3
    /// How long a prompt has shown, at least, where the end of its request's time counts as a denial.
    package static let unansweredPromptMilliseconds = 90_000
    /// Runs of scripts for which the user's answer is remembered.
    package static let rememberedRuns = 256
    /// Recorded reads of apps' own data that are remembered, and the apps whose number of them is.
    package static let rememberedOwnReads = 8192
    package static let rememberedReaders = 1024
    /// Services for which a connection's current decision is remembered.
    package static let rememberedDecisions = 128
    /// Password generators that are remembered.
    package static let rememberedRules = 64
    /// Bytes of the tables of one form's rules; `PasswordRulesLimits` has the same.
    package static let rulesTableBytes = 4_194_304
    /// Descriptors that clients have passed, and sockets, that may wait to be closed before no more are accepted, those that are
    /// being closed among them.
    package static let passedDescriptors = 64
    /// Programs whose content's hash is remembered.
    package static let rememberedContents = 1024
    /// Domains that were asked for whose canonical form is remembered.
    package static let rememberedDomains = 512
    /// The user's decisions about domains that are remembered.
    package static let rememberedDomainDecisions = 2048
    /// Descriptors that are reserved: the daemon's own two dozen, and those that an inspection of a peer needs for a moment.
    package static let reservedDescriptors = 64
    /// Bytes of a user name in a prompt's list.
    package static let pickedUserBytes = 40
    /// Labels and programs of a prompt about several keychain items, and bytes of each that it shows.
    package static let promptedItems = 5
    package static let promptedPrograms = 2
    package static let promptedItemBytes = 60
    /// Findings of one check of the vault that are written to the journal one by one.
    package static let reportedFindings = 20
    /// Bytes of the vault's file that an unused vault keeps in memory.
    package static let cachedVaultBytes = 4 << 20
    /// How soon after the last request background work is checked, if nothing is due earlier.
    package static let upkeepMilliseconds = 5000
    /// The interval of checks which registered sites are due to be fetched again, while there are requests.
    package static let associationLookMilliseconds = 60_000
    /// Sites whose statement is stored in the vault.
    package static let storedAssociations = 1024
    /// Connections at a time of the program that fetches site associations, addresses of one site that it tries, names that it looks up at a
    /// time, and bytes of the head of an answer.
    package static let associationClients = 512
    package static let associationAddresses = 4
    package static let associationLookUps = 32
    package static let associationHeadBytes = 65_536
}

/// A limit of the service that is no app's quota: of caches, and of what is held ready.
package struct OwnLimit: Sendable {
    /// What is limited, for people.
    package let what: String
    package let value: Int

    private init(_ what: String, _ value: Int) { (self.what, self.value) = (what, value) }

    package static let table = [
        OwnLimit(
            "Apps, and programs, whose share of the journal's lines is remembered, at least.", Limits.rememberedApps),
        OwnLimit("Lines of one app that are not written twice in a second.", Limits.rememberedLines),
        OwnLimit("Reasons that are logged once for a connection's forms.", Limits.rememberedFormReasons),
        OwnLimit("Recent refusals of the user.", Limits.rememberedDenials),
        OwnLimit(
            "Withdrawals of a prompt within a minute, of which the last counts as a denial.", Limits.deniedWithdrawals),
        OwnLimit(
            "Milliseconds that a prompt has shown, at least, where the end of its request's time counts as a denial.",
            Limits.unansweredPromptMilliseconds),
        OwnLimit("Runs of scripts for which the user's answer is remembered.", Limits.rememberedRuns),
        OwnLimit("Reads of apps' own that are known to be on record.", Limits.rememberedOwnReads),
        OwnLimit("Apps whose share of those is remembered.", Limits.rememberedReaders),
        OwnLimit("Services for which a connection's standing decision is remembered.", Limits.rememberedDecisions),
        OwnLimit("Password generators that are remembered.", Limits.rememberedRules),
        OwnLimit(
            "Bytes of the tables of one form's password rules; rules that need more are refused.",
            Limits.rulesTableBytes),
        OwnLimit("Programs whose content's hash is remembered.", Limits.rememberedContents),
        OwnLimit("Domains whose canonical form is remembered.", Limits.rememberedDomains),
        OwnLimit("The user's decisions about domains that are remembered.", Limits.rememberedDomainDecisions),
        OwnLimit("Sites whose statement is stored in the vault.", Limits.storedAssociations),
        OwnLimit("Programs that may count as active.", Limits.awaitedPrograms),
        OwnLimit("Descriptors that are kept free of clients.", Limits.reservedDescriptors),
        OwnLimit("Bytes of a user name in a prompt's list.", Limits.pickedUserBytes),
        OwnLimit("Keychain items that a prompt about several of them names.", Limits.promptedItems),
        OwnLimit("Programs that it names as theirs.", Limits.promptedPrograms),
        OwnLimit("Bytes of each of these names, at most.", Limits.promptedItemBytes),
        OwnLimit("Findings of one check of the vault that are logged one by one.", Limits.reportedFindings),
        OwnLimit("Bytes of the vault's file that stay in memory while nobody uses it.", Limits.cachedVaultBytes),
        OwnLimit("Milliseconds after a request until what is due beside requests is done.", Limits.upkeepMilliseconds),
        OwnLimit(
            "Milliseconds between checks which sites are to be fetched again, while there are requests.",
            Limits.associationLookMilliseconds),
        OwnLimit("autofill-associations: connections at a time.", Limits.associationClients),
        OwnLimit("autofill-associations: addresses of a site that are tried.", Limits.associationAddresses),
        OwnLimit("autofill-associations: names that are looked up at a time.", Limits.associationLookUps),
        OwnLimit("autofill-associations: bytes of the head of a site's answer.", Limits.associationHeadBytes),
    ]
}
