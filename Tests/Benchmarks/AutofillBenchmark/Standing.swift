// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport

/// The memory of the daemon.
struct Memory {
    private let environment: BenchmarkEnvironment

    init(_ environment: BenchmarkEnvironment) { self.environment = environment }

    func measure(_ figures: inout Figures) throws {
        for size in environment.isQuick ? [0, 10_000] : [0, 100_000] {
            let daemon = try environment.daemon(on: size)
            add(daemon, "idle, \(size) credentials", atMost: size == 0 ? 8 : nil, &figures)
            let app = try environment.client(of: daemon)
            for number in 0..<(size == 0 ? 0 : 20_000) { try app.exchange(Lines.get(number % size)) }
            if size > 0 { add(daemon, "\(size) credentials, after 20000 gets", atMost: nil, &figures) }
        }
    }

    private func add(_ daemon: Server, _ state: String, atMost: Double?, _ figures: inout Figures) {
        let memory = daemon.memory
        figures.add(Figure(name: "resident, \(state)", unit: "MiB", value: memory.resident))
        if let own = memory.private {
            figures.add(Figure(name: "private, \(state)", unit: "MiB", value: own, atMost: atMost))
        }
    }
}

/// From the start of the process to the first answer, with a vault that a key file opens.
struct ColdStart {
    private let environment: BenchmarkEnvironment

    init(_ environment: BenchmarkEnvironment) { self.environment = environment }

    func measure(_ figures: inout Figures) throws {
        var starts = Timing()
        for _ in 0..<(environment.isQuick ? 5 : 21) { starts.add(try environment.daemon().millisecondsToFirstAnswer) }
        figures.add(Figure(name: "cold start to the first answer", unit: "ms", value: starts.median, atMost: 60))
    }
}

/// Whether the cost of `credential.get` stays as the vault grows.
struct VaultSizes {
    private let environment: BenchmarkEnvironment

    init(_ environment: BenchmarkEnvironment) { self.environment = environment }

    func measure(_ figures: inout Figures) throws {
        let sizes = environment.isQuick ? [100, 10_000] : [100, 10_000, 100_000, 1_000_000]
        let daemons = try sizes.map { try environment.daemon(on: $0) }
        let apps = try daemons.map { try environment.client(of: $0) }
        // Each bucket of a vault is compared with its manifest at its first use; that is not what is measured here.
        for (app, size) in zip(apps, sizes) {
            for number in 0..<min(size, 20_000) { try app.exchange(Lines.get(number * (size / min(size, 20_000)))) }
        }
        var timings = sizes.map { _ in Timing() }
        for _ in 0..<(environment.isQuick ? 20 : 100) {
            for (index, app) in apps.enumerated() {
                let lines = (0..<50).map { _ in Lines.get(Int.random(in: 0..<sizes[index])) }
                for line in lines { try timings[index].measure { try app.exchange(line) } }
            }
        }
        for (index, size) in sizes.enumerated() where index > 0 {
            figures.add("get among \(size) (bare: among 100)", timings[index], against: timings[0], atMost: 1.3)
        }
    }
}
