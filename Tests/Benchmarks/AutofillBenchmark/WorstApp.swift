// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import Foundation
import Synchronization

/// One sandboxed app at its worst, in each of the eight ways of attacks.md and in all at once, beside an app that gets,
/// saves and prompts the user. `Tests/Benchmarks/worst_app.py` is the attacker, in a bubblewrap like a Flatpak's. Needs
/// root, which must own a prompter.
struct WorstApp {
    static let ways = ["record", "memory", "consent", "rules", "items", "fetches", "events", "strangers", "all"]

    private let environment: BenchmarkEnvironment
    private let ways: [String]
    private let seconds: Double

    init(_ environment: BenchmarkEnvironment, _ ways: [String] = Self.ways) {
        self.environment = environment
        self.ways = ways
        seconds = environment.isQuick ? 6 : 60
    }

    func measure(_ figures: inout Figures) throws {
        guard geteuid() == 0 else { throw BenchmarkFault("worst-app needs root, which must own a prompter") }
        let echo = try environment.bare()
        for way in ways { try measure(way, beside: echo, &figures) }
    }

    private func measure(_ way: String, beside echo: Server, _ figures: inout Figures) throws {
        let stage = try WorstAppStage(environment, way)
        let victim = try Victim(of: stage, beside: echo)
        try victim.work(for: 1)
        let alone = try victim.work(for: environment.isQuick ? 2 : 10)
        let before = stage.daemon.memory
        let attacker = try stage.attack(for: seconds)
        let beside = Beside(stage.daemon, try environment.client(of: stage.daemon))
        let asking = Repeating { try beside.ask() }
        let watching = Repeating { beside.watch() }
        let among = try victim.work(for: seconds)
        asking.end()
        watching.end()
        let attack = try attacker.end()
        guard attack.answered > 0 else { throw BenchmarkFault("\(way): the attacker got no answer at all") }
        // The daemon returns memory every five seconds.
        sleep(7)
        let after = stage.daemon.memory
        figures.add("\(way): bare echo (bare: alone)", among.echoes, against: alone.echoes)
        figures.add("\(way): get (bare: alone)", among.gets, against: alone.gets, atMost: 2)
        figures.add("\(way): save (bare: alone)", among.saves, against: alone.saves, atMost: 2)
        let kept = (after.private ?? after.resident) - (before.private ?? before.resident)
        let (asked, most) = (beside.asked, beside.mostMemory)
        let missing = try stage.releasesMissing(of: victim.released + asked.released)
        for (name, unit, value, limit) in [
            ("attacker's requests answered", "", Double(attack.answered), nil),
            ("requests refused beside it", "", Double(victim.refused + asked.refused), 0.0),
            ("longest wait for a prompt", "s", asked.longest, 2), ("releases not on record", "", Double(missing), 0),
            ("most memory", "MiB", most, 200), ("memory kept", "MiB", kept, 10),
        ] as [(String, String, Double, Double?)] {
            figures.add(Figure(name: "\(way): \(name)", unit: unit, value: value, atMost: limit))
        }
    }
}

/// An app that gets what it may have a hundred times a second, and saves ten times. Beside each get it asks the bare
/// echo, which shows what the attacker's use of the processors costs any server.
private final class Victim {
    private let connection: Connection
    private let echo: Connection
    private let echoed: [UInt8]
    private var saved = 0
    /// Gets that were answered, each of which is to be on record.
    private(set) var released = 0
    private(set) var refused = 0

    init(of stage: WorstAppStage, beside bare: Server) throws {
        connection = try stage.environment.client(of: stage.daemon)
        echo = try Connection(to: bare)
        let line = Lines.get(0)
        echoed = Lines.bare(request: line.count, answer: try connection.exchange(line))
        released = 1
    }

    @discardableResult
    func work(for seconds: Double) throws -> (gets: Timing, saves: Timing, echoes: Timing) {
        var (gets, saves, echoes) = (Timing(), Timing(), Timing())
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            let isRefused = try gets.measure { try connection.isRefused(Lines.get(released % 100)) }
            released += isRefused ? 0 : 1
            refused += isRefused ? 1 : 0
            if gets.samples.count.isMultiple(of: 10) {
                saved += 1
                let line = Lines.save("new-\(saved % 500)", to: BenchmarkEnvironment.savedSites[0], "pw-\(saved)")
                refused += try saves.measure { try connection.isRefused(line) } ? 1 : 0
            }
            usleep(5_000)
            try echoes.measure { try echo.exchange(echoed) }
            usleep(5_000)
        }
        return (gets, saves, echoes)
    }
}

/// The work beside it, on two threads: the same app requests what the user allows once each time, and the daemon's
/// memory is measured.
private final class Beside: Sendable {
    private let connection: Connection
    // Proof: `memory` reads what never changes once it has started.
    private nonisolated(unsafe) let daemon: Server
    private let outcome = Mutex((released: 0, refused: 0, longest: 0.0))
    private let most = Mutex(0.0)

    init(_ daemon: Server, _ connection: Connection) {
        self.daemon = daemon
        self.connection = connection
    }

    var asked: (released: Int, refused: Int, longest: Double) { outcome.withLock { $0 } }
    var mostMemory: Double { most.withLock { $0 } }

    func ask() throws {
        let start = ContinuousClock.now
        let isRefused = try connection.isRefused(WorstAppStage.asked)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        outcome.withLock {
            $0.released += isRefused ? 0 : 1
            $0.refused += isRefused ? 1 : 0
            $0.longest = max($0.longest, seconds)
        }
        usleep(500_000)
    }

    func watch() {
        let resident = daemon.memory.resident
        most.withLock { $0 = max($0, resident) }
        usleep(50_000)
    }
}
