// SPDX-License-Identifier: Apache-2.0
import AutofillMethods
import AutofillProtocol
package import AutofillService
package import ConfigurationFiles
package import CredentialStorage
import Credentials
package import EventLoop
import Foundation
package import PeerIdentity
package import Prompting
import SecretMemory
package import Settings

/// The whole service over a real vault, on a loop of its own and without a socket: what a test of the service talks to.
///
/// The loop turns on the test's thread, until nothing is left to do, whenever the test does something. Clocks stand still
/// until the test moves them; the settings' key file is `keyFile`.
package final class TestService {
    package let engine: AutofillEngine
    /// Where the service's times come from: `advance(by:)` moves all clocks, `wall` alone the times that users read.
    package let clock: ManualClock
    /// Everything that went to the journal.
    package private(set) var journal: [JournalEvent] = []
    let loop: EventLoop
    let parts: ServiceWorld
    private let hasThreads: Bool
    /// What came and was not read yet.
    private var inbox: [SessionID: [String]] = [:]
    private var schemas: [SessionID: SchemaCheck] = [:]
    private var sample = SchemaSample()
    /// The first line that broke the schema.
    private var violation: (any Error)?
    private var lastID: Int64 = 1_000_000

    /// What of the world the test plays.
    final class ServiceWorld: EngineSubscriber {
        let prompter: AnsweringPrompter
        let sites: TestSiteAnswers
        let work = ManualWorkPool()
        let pool: WorkerPool
        weak var vault: Vault?
        var keyFile: String?
        let thread: LoopThread
        /// Delivers answers to the test's inbox.
        var turnEnd: TurnSource?
        /// What has answers leave in place of the test's inbox.
        var armServer: (() -> Void)?

        func armTurnEnd() { if let armServer { armServer() } else { turnEnd?.arm() } }

        func statusChanged(_ line: String, mayWait: Bool) {}

        init(_ consent: Consent, _ loop: EventLoop, hasThreads: Bool) {
            thread = LoopThread(loop)
            prompter = AnsweringPrompter(consent, on: loop, thread)
            sites = TestSiteAnswers(on: loop, thread)
            let work = work
            pool = hasThreads ? WorkerPool(on: loop) : WorkerPool(on: loop, runner: { work.take($0, $1) })
        }
    }

    /// - Parameters:
    ///   - isCreated: whether there is a vault, which `TestFiles.key` opens.
    ///   - files: what the file system reports of programs; by default there are none.
    ///   - hasThreads: whether work runs on threads, as in the daemon; else between turns, on the test's thread.
    package init(
        location: VaultLocation = .memory, isCreated: Bool = true, consent: Consent = .absent,
        settings: DaemonSettings = DaemonSettings(), settingsFiles: SettingsFiles? = nil,
        siteAssociation: DaemonSettings.SiteAssociation = .advisory, registrations: String = TestFiles.registrations,
        siteKnowledge: String? = nil, administrator: [String] = [], files: FileInspections? = nil,
        hasThreads: Bool = false
    ) throws {
        var settings = settings
        settings.siteAssociation = siteAssociation
        clock = ManualClock(wall: 1_795_253_400_000)
        loop = try EventLoop(clocks: clock.clocks)
        // Proof for `nonisolated(unsafe)`, here and below: the engine runs on the loop, and that turns on the test's thread, when
        // the test runs it.
        nonisolated(unsafe) let parts = ServiceWorld(consent, loop, hasThreads: hasThreads)
        self.parts = parts
        self.hasThreads = hasThreads
        nonisolated(unsafe) let source = try VaultSource(at: location) { opensVault throws(VaultError) in
            let vault = try Vault(at: location, program: "tests", opensVault: opensVault)
            parts.vault = vault
            return vault
        }
        nonisolated(unsafe) let environment = ServiceContext(
            ServiceProduct(version: ProductVersion.text, isEphemeral: location == .memory), loop: loop,
            pool: parts.pool,
            files: files
                ?? FileInspections(
                    registered: { $0.map { RegisteredExecutable(path: $0, identity: nil, isRootOwned: false) } },
                    contentHash: { _, _ in nil }))
        nonisolated(unsafe) let configuration = EngineConfiguration(
            environment: environment, vault: source,
            settings: SettingsSource(
                try settingsFiles?.load() ?? SettingsLayers(user: SettingsDocument(settings)), files: settingsFiles,
                path: settingsFiles?.user ?? "/dev/null"),
            apps: AppFiles(
                registrations: RegistrationDirectories([registrations], userID: getuid()), paths: [registrations],
                sites: SiteKnowledgeFile(siteKnowledge, userID: getuid()),
                administrator: AdministratorFiles(delegates: administrator, families: administrator), userID: getuid()),
            prompter: parts.prompter, fetch: { await parts.sites.fetch($0) }, keyFile: { _ in parts.keyFile })
        engine = AutofillEngine(configuration, methods: MethodAreas.init)
        parts.turnEnd = TurnSource(on: loop, at: .endOfTurn) { [weak self] in self?.deliver() }
        try engine.assumeIsolated { engine in
            engine.begin(parts)
            if isCreated {
                try engine.createEphemeralVault(key: SecretBytes(copying: TestFiles.key, count: TestFiles.key.count))
            }
        }
        try settle()
    }

    deinit { try? close() }

    /// Lets the service do all that it can do now: turns of the loop, and work that is not held.
    package func settle() throws {
        repeat {
            try loop.runUntilIdle()
            while hasThreads, parts.pool.isBusy {
                guard try loop.run(until: { !parts.pool.isBusy }, patience: .seconds(120)) else { throw Impatience() }
                try loop.runUntilIdle()
            }
        } while parts.work.runNext()
        // Once: what comes after, such as the service's closing, continues.
        guard let found = violation else { return }
        violation = nil
        throw found
    }

    /// Does something on the engine, then settles.
    @discardableResult
    package func onEngine<Result: Sendable>(
        _ body: @escaping (isolated AutofillEngine) throws -> Result
    ) throws -> Result {
        // A test may have changed to another thread.
        if !loop.isCurrent { try loop.turn(timeout: .zero) }
        nonisolated(unsafe) let body = body
        let result = try engine.assumeIsolated { try body($0) }
        try settle()
        return result
    }

    /// Begins something that waits; whether it has ended is in what comes back.
    @discardableResult
    package func begin<Result: Sendable>(
        _ body: @escaping @Sendable (isolated AutofillEngine) async -> Result
    ) throws -> Ending<Result> {
        nonisolated(unsafe) let ending = Ending<Result>()
        try onEngine { engine in _ = Task.immediate { ending.result = await body(engine) } }
        return ending
    }

    /// The outcome of something that was begun.
    package final class Ending<Result> {
        package fileprivate(set) var result: Result?
    }

    /// Closes the service, as at the daemon's end; what the test holds is done.
    package func close() throws {
        parts.work.releaseAll()
        try begin { await $0.close() }
    }

    /// Work on a thread did not come back.
    package struct Impatience: Error {}

    // MARK: - Connections

    /// A connection that has not sent hello.
    package func connect(
        _ evidence: PeerEvidence = .plainProcess, contentHash: String? = nil, script: Script? = nil,
        terminal: @escaping () -> TerminalSession? = { nil }, confirm: @escaping () throws(PeerRefusal) -> Void = {}
    ) -> ServiceConnection {
        nonisolated(unsafe) let (confirm, terminal) = (confirm, terminal)
        return ServiceConnection(
            self,
            engine.assumeIsolated {
                $0.connect(
                    Peer(
                        evidence: evidence, confirm: confirm, contentHash: contentHash, script: script,
                        terminal: terminal))
            })
    }

    func exchange(_ line: [UInt8], _ client: SessionID) throws -> [String] {
        let before = take(client)
        try send(line, client)
        defer { inbox[client] = before.isEmpty ? nil : before }
        return take(client)
    }

    func send(_ line: [UInt8], _ client: SessionID, _ descriptor: Int32? = nil) throws {
        schemas[client, default: SchemaCheck()].note(sent: line, &sample)
        try onEngine { engine in
            let passed = descriptor.map { PassedDescriptor(number: $0) }
            _ = line.withUnsafeBytes { engine.receive($0, from: client, descriptor: passed) }
        }
    }

    /// What came for a connection since the last read.
    func take(_ client: SessionID) -> [String] { inbox.removeValue(forKey: client) ?? [] }

    /// The lines of one kind that came for a connection; the others stay.
    func takeLines(of client: SessionID, _ isWanted: (String) -> Bool) -> [String] {
        let lines = take(client)
        inbox[client] = lines.filter { !isWanted($0) }
        return lines.filter(isWanted)
    }

    func hasLine(for client: SessionID, _ isWanted: (String) -> Bool) -> Bool {
        inbox[client]?.contains(where: isWanted) ?? false
    }

    /// The id of a call, another one each time.
    func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    /// The end of a turn: answers and events leave, then the journal is written.
    private func deliver() {
        parts.thread.note()
        let (left, events) = engine.assumeIsolated { engine in
            var left: [(SessionID, String)] = []
            engine.endTurn { session, bytes in left += Self.lines(bytes).map { (session, $0) } }
            return (left, engine.takeJournal())
        }
        for (client, line) in left {
            inbox[client, default: []].append(line)
            do {
                try schemas[client, default: SchemaCheck()].hold(received: line, &sample)
            } catch {
                violation = violation ?? error
            }
        }
        journal += events
    }

    private static func lines(_ bytes: UnsafeRawBufferPointer) -> [String] {
        var lines: [String] = []
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = memchr(base, 0x0A, rest.count).map { base.distance(to: $0) } ?? rest.count
            if count > 0 { lines.append(String(decoding: rest.prefix(count), as: UTF8.self)) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count + 1))
        }
        return lines
    }
}
