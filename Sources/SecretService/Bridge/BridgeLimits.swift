// SPDX-License-Identifier: Apache-2.0

/// What one program on the bus may take of the bridge, and all together. autofill-secrets(8) lists them.
package enum BridgeLimits {
    /// Bus connections that are served at a time; past that the ones that have nothing open and called least lately are forgotten.
    package static let callers = 512
    /// Those of one process.
    package static let callersPerProcess = 32
    /// Calls of one caller that wait for an answer.
    package static let callsPerCaller = 64
    /// Sessions and prompts that one caller has open.
    package static let sessionsPerCaller = 64
    package static let promptsPerCaller = 32
    /// Requests of one app that xdg-desktop-portal has handed over, for its master secret.
    package static let portalRequestsPerApp = 4
    /// Items of others whose searched attributes are remembered for one caller.
    package static let rememberedItems = 512
    /// Objects of one call.
    package static let objectsPerCall = 500
    /// Items that a search or a list gives.
    package static let itemsPerSearch = 10_000
    /// Collections of one program.
    package static let collections = 64
    /// Items that are kept in memory alone (the collection `session`), and their bytes: of one program, and of all.
    package static let sessionItemsPerApp = 128
    package static let sessionBytesPerApp = 512 << 10
    package static let sessionItems = 1024
    package static let sessionBytes = 4 << 20
    /// How long a call waits for the person before it ends as locked; below the 25 seconds that D-Bus's libraries wait.
    package static let holdMilliseconds = 20_000
    /// How long the daemon may take to greet.
    package static let greetingMilliseconds = 15_000
    /// The same line is not written to the journal again within this time, and so many lines are remembered.
    package static let journalMilliseconds = 10_000
    package static let rememberedLines = 64
}
