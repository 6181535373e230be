// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillServer
internal import AutofillService
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Glibc
internal import PeerInspection
internal import Reasons
internal import SecretMemory
internal import Settings
internal import Systemd

/// What goes on while the daemon serves: timers, signals, the login manager, the watched files. On the loop only.
final class RunningDaemon {
    private let plan: DaemonPlan
    private let journal: JournalWriter
    private let notifier: ServiceNotifier
    private let server: SocketServer
    private var watchdog: Watchdog?
    private var sources = Sources()
    private var isStopping = false

    /// From the start on: a client that caused it has come by then, and is answered first.
    private static let formsPause = Duration.milliseconds(50)

    /// What wakes the daemon besides its clients, until it stops.
    private struct Sources {
        /// Does what is due beside requests.
        var upkeep: LoopTimer?
        /// Whether that is so soon because something has happened.
        var isStirred = false
        /// Builds what reading forms needs, once.
        var forms: LoopTimer?
        /// The directories that are watched, by path.
        var watches: [String: InotifySource] = [:]
        /// Those in which directories that are missing will appear.
        var awaited: [String: InotifySource] = [:]
        var login: LoginManager?
        var status: StatusLine?
        /// Whether the journal has that the program was replaced.
        var isReplacementNoted = false
    }

    init(
        _ engine: isolated AutofillEngine, _ plan: DaemonPlan, _ service: ServiceEnvironment, _ journal: JournalWriter,
        _ inspector: PeerInspector
    ) throws {
        self.plan = plan
        self.journal = journal
        notifier = service.notifier(on: engine.loop)
        server = SocketServer(
            inspector: inspector, pool: engine.pool,
            record: { events in for event in events { journal.write(JournalEntry(event)) } },
            reportFault: { journal.write(JournalEntry(fault: $0)) }, on: engine)
        if let interval = service.watchdogInterval {
            watchdog = Watchdog(on: engine.loop, feeding: notifier, interval: interval)
        }
    }

    /// Opens what opens by itself, and begins to serve.
    func begin(_ listening: [Int32], _ signals: Signals, _ engine: isolated AutofillEngine) throws {
        sources.status = StatusLine(on: engine.loop, notifier: notifier)
        sources.upkeep = LoopTimer(on: engine.loop, clock: .boottime, slack: .milliseconds(100)) { [unowned self] in
            Task.immediate { await self.keepUp(engine) }
        }
        engine.begin(self)
        try openVault(engine)
        signals.begin { [unowned self] order in obey(order, engine) }
        keepUpSoon()
        _ = watchFiles(engine)
        if !plan.isEphemeral { followLogin(engine) }
        try server.serve(listening, engine)
        notifier.ready(status: engine.statusLine)
        prepareForms(engine)
    }

    private func prepareForms(_ engine: isolated AutofillEngine) {
        // When all that has come is taken: only then it is known whether anybody has.
        let taken = TurnSource(on: engine.loop, at: .endOfTurn) { [unowned self] in
            let isAwaited = server.isAwaited
            engine.assumeIsolated { $0.prepareForms(isAwaited: isAwaited) }
        }
        let forms = LoopTimer(on: engine.loop) { taken.arm() }
        forms.schedule(after: Self.formsPause)
        sources.forms = forms
    }

    private func openVault(_ engine: isolated AutofillEngine) throws {
        let keyFile = plan.keyFile(engine.settings)
        guard plan.isEphemeral else {
            guard let keyFile else { return }
            do {
                try engine.unlock(withKeyFile: keyFile)
            } catch {
                journal.write(JournalEntry(fault: error))
            }
            return
        }
        do {
            try plan.makeEphemeralKey()
            try engine.createEphemeralVault(key: try keyFile.map { try KeyFile.read($0) } ?? Self.unknownKey())
        } catch let error as VaultError {
            throw DaemonFailure.usage("the key of the vault cannot be used. \(error.refusal.fix)")
        }
    }

    /// A key that nobody knows.
    private static func unknownKey() -> SecretBytes {
        var entropy = SystemEntropy()
        return SecretBytes(count: Limits.keyBytes) { memory in
            for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &entropy) }
        }
    }

    // MARK: - By time

    /// After an event: the upkeep that it requires is done in some seconds.
    private func keepUpSoon() {
        guard !sources.isStirred else { return }
        sources.isStirred = true
        sources.upkeep?.schedule(after: .milliseconds(Limits.upkeepMilliseconds))
    }

    /// Afterwards the daemon sleeps until something happens, or is due at its own time.
    private func keepUp(_ engine: isolated AutofillEngine) async {
        sources.isStirred = false
        await engine.keepUp()
        guard !isStopping else { return }
        if watchFiles(engine) { engine.readFiles() }
        noteReplacement()
        ProcessMemory.giveBack()
        if !sources.isStirred, let pause = engine.nextUpkeep { sources.upkeep?.schedule(after: pause) }
    }

    private func noteReplacement() {
        guard !sources.isReplacementNoted, let path = ReplacedProgram.path else { return }
        sources.isReplacementNoted = true
        journal.write(JournalEntry(replacedProgram: path))
    }

    // MARK: - By signals

    /// The first order to stop is the last that counts.
    private func obey(_ order: Signals.Order, _ engine: isolated AutofillEngine) {
        guard !isStopping else { return }
        Task.immediate {
            switch order {
            case .reload: await reload(engine)
            case .stop: await stop(engine)
            }
        }
    }

    private func reload(_ engine: isolated AutofillEngine) async {
        notifier.reloading()
        let problem = await engine.reload()
        keepUpSoon()
        if let problem { journal.write(JournalEntry(fault: SettingsNotReloaded(problem: problem))) }
        guard !isStopping else { return }
        notifier.ready(status: engine.statusLine)
    }

    private func stop(_ engine: isolated AutofillEngine) async {
        isStopping = true
        notifier.stopping(status: "Stopping")
        sources = Sources()
        engine.beginStopping()
        await server.stop(engine)
        await engine.close()
        engine.loop.stop(exitCode: 0)
    }

    // MARK: - By what others do

    /// Has files read again as soon as they change, and a missing directory as soon as it exists. Where one cannot be watched,
    /// its files are read again from time to time.
    ///
    /// - Returns: whether any is watched that was not.
    private func watchFiles(_ engine: isolated AutofillEngine) -> Bool {
        let before = sources.watches.count
        var awaited: [String: InotifySource] = [:]
        for path in plan.registrations where !watch(path, engine) {
            var directory = DirectoryPath(path)
            while let parent = directory.parent {
                directory = parent
                guard
                    let watch = awaited[directory.text] ?? sources.awaited[directory.text]
                        ?? awaitEntries(of: directory, engine)
                else { continue }
                awaited[directory.text] = watch
                // It may have come just before that.
                _ = self.watch(path, engine)
                break
            }
        }
        sources.awaited = awaited
        return sources.watches.count > before
    }

    /// - Returns: whether it is watched.
    private func watch(_ path: String, _ engine: isolated AutofillEngine) -> Bool {
        if sources.watches[path] != nil { return true }
        sources.watches[path] = try? InotifySource(on: engine.loop, path: path, events: .directoryChanged) {
            [unowned self] events, _ in
            if !events.isDisjoint(with: [.ended, .selfMoved]) {
                sources.watches[path] = nil
                _ = watchFiles(engine)
            }
            engine.readFiles()
        }
        return sources.watches[path] != nil
    }

    private func awaitEntries(of directory: DirectoryPath, _ engine: isolated AutofillEngine) -> InotifySource? {
        try? InotifySource(
            on: engine.loop, path: directory.text, events: [.created, .movedTo, .selfDeleted, .selfMoved]
        ) { [unowned self] events, _ in
            if !events.isDisjoint(with: [.ended, .selfDeleted, .selfMoved]) { sources.awaited[directory.text] = nil }
            if watchFiles(engine) { engine.readFiles() }
        }
    }

    /// Has the vault locked with the session and before sleep. Where there is no login manager the daemon goes without.
    private func followLogin(_ engine: isolated AutofillEngine) {
        sources.login = LoginManager(on: engine.loop) { state in
            switch state {
            case .following(holdsSleep: true):
                engine.noteLogin("[AutoFill] The vault is locked with the session, and before sleep", .debug)
            case .following(holdsSleep: false):
                engine.noteLogin(
                    "[AutoFill] The login manager does not wait for the vault to be locked before sleep", .debug)
            case .absent(let why):
                engine.noteLogin(
                    "[AutoFill] The vault is not locked with the session, nor before sleep: \(why)", .info)
            }
        } receive: { [unowned self] signal in
            Task.immediate {
                await engine.follow(SessionSignal(signal))
                if case .fallsAsleep(let number) = signal { self.sources.login?.letSleep(number) }
            }
        }
        sources.login?.start()
    }
}

extension RunningDaemon: EngineSubscriber {
    func armTurnEnd() {
        server.armTurnEnd()
        keepUpSoon()
    }

    func statusChanged(_ line: String, mayWait: Bool) { sources.status?.show(line, mayWait: mayWait) }
}

extension SessionSignal {
    fileprivate init(_ signal: LoginManager.Signal) {
        self =
            switch signal {
            case .locked: .locked
            case .unlocked: .unlocked
            case .fallsAsleep: .fallsAsleep
            case .wokeUp: .wokeUp
            }
    }
}
