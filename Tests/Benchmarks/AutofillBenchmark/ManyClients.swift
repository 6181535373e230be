// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport

/// A thousand and ten thousand connected clients: what they cost while idle, and what they get when all ask.
struct ManyClients {
    private let environment: BenchmarkEnvironment

    init(_ environment: BenchmarkEnvironment) { self.environment = environment }

    func measure(_ figures: inout Figures) throws {
        // Three descriptors for each at most, and an eighth for other programs: what the daemon lets in of one. One is
        // there before.
        let all = (Descriptors.limit - 64) / 3
        let capacity = all - all / 8 - 1
        for count in environment.isQuick ? [1_000] : [1_000, min(10_000, capacity)] {
            let daemon = try environment.daemon()
            let first = try environment.client(of: daemon)
            var alone = Timing()
            for _ in 0..<2_000 { try alone.measure { try first.exchange(Lines.get(7)) } }
            let before = daemon.memory
            let clients = try (0..<count).map { _ in try environment.client(of: daemon) }
            let after = daemon.memory
            var among = Timing()
            for _ in 0..<2_000 { try among.measure { try first.exchange(Lines.get(7)) } }
            figures.add("get, \(count) others idle (bare: alone)", among, against: alone)
            let (used, baseline) = (after.private ?? after.resident, before.private ?? before.resident)
            figures.add(
                Figure(
                    name: "memory for each of \(count) clients", unit: "KiB",
                    value: (used - baseline) * 1024 / Double(count), atMost: 12))
            let rate = try Load(clients).rate(Lines.get(7), total: count * 4, pipelined: 1)
            figures.add(Figure(name: "get, \(count) clients all asking", unit: "/s", value: rate))
        }
    }
}
