// SPDX-License-Identifier: Apache-2.0

/// The quotas of one program on the bus, and of all together. autofill-secrets(8) lists them.
package enum BridgeLimits {
    /// Limits of bytes that are held.
    package struct ByteLimits: Sendable {
        /// Of one program.
        package let app: Int
        /// Of all together, beyond what each may hold in any case.
        package let all: Int
        /// What each program may hold whatever others hold.
        package let least: Int
    }

    /// Bus connections that are served at a time. Beyond that, the least recently active one without open objects, and
    /// without items in memory of its own, is forgotten.
    package static let callers = 512
    /// The connections of one process.
    package static let callersPerProcess = 32
    /// Unanswered calls of one caller.
    package static let callsPerCaller = 64
    /// Open sessions and prompts of one caller.
    package static let sessionsPerCaller = 64
    package static let promptsPerCaller = 32
    /// Requests of one app that xdg-desktop-portal has passed on, for its master secret.
    package static let portalRequestsPerApp = 4
    /// Other programs' items whose searched attributes are recorded for one caller. Objects that one program has locked.
    package static let rememberedItems = 512
    /// Bytes of those attributes.
    package static let rememberedBytes = 64 << 10
    /// Objects in one call.
    package static let objectsPerCall = 500
    /// Bytes of a component of a path, and of an alias.
    package static let nameBytes = 255
    /// Bytes that unanswered calls hold. A program may have one call with the most and the largest items; all together stay
    /// below the unit's MemoryMax.
    package static let answerBytes = ByteLimits(app: 24 << 20, all: 64 << 20, least: 32 << 10)
    /// What each object counts for that a call names, besides its path and its secret, or that a search finds, with its path.
    package static let answerBytesPerObject = 1 << 10
    /// What each object counts for while its metadata is read: its attributes and its label, and what memory uses besides
    /// content.
    package static let answerBytesPerMetadata = 16 << 10
    /// Bytes of a call: of its path and its arguments. The bus permits 128 MiB.
    package static let messageBytes = 512 << 10
    /// Bytes of the calls that are not answered yet, of one process (of one connection until its process is known) and of
    /// all, and those that each call counts for besides its content.
    package static let waitingMessageBytes = ByteLimits(app: 4 << 20, all: 24 << 20, least: 48 << 10)
    package static let messageBytesPerCall = 1 << 10
    /// Bytes that prompts hold, of one program and of all, and those of each object besides its path.
    package static let promptBytes = ByteLimits(app: 2 << 20, all: 8 << 20, least: 4 << 10)
    package static let promptBytesPerObject = 128
    /// Items in the result of a search.
    package static let itemsPerSearch = 10_000
    /// Collections of one program.
    package static let collections = 64
    /// Items in memory alone (the collection `session`), and their bytes: of one program, and of all.
    package static let sessionItemsPerApp = 128
    package static let sessionBytesPerApp = 512 << 10
    package static let sessionItems = 1024
    package static let sessionBytes = 4 << 20
    /// How long a call waits for the user before it fails as locked; less than the 25 seconds that D-Bus libraries
    /// wait.
    package static let holdMilliseconds = 20_000
    /// How long the daemon may take to answer the greeting.
    package static let greetingMilliseconds = 15_000
    /// The names that the bus may have.
    package static let namesOnBus = 20_000
    /// How long the sockets of a caller are listed at most. How long a program may be between connecting and its first
    /// message, and how many inspections this is at least: on a busy machine one may take longer than that. How often a
    /// connection that a program has just closed may be listed.
    package static let connectionMilliseconds = 1000
    package static let helloMilliseconds = 100
    package static let helloInspections = 4
    package static let contradictions = 3
    /// The same entry is not written to the journal again within this time; so many entries are recorded for that.
    package static let journalMilliseconds = 10_000
    package static let rememberedLines = 64
}
