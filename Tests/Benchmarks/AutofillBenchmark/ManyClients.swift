// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport

/// A thousand and ten thousand connected clients: what they cost while idle, and what they get when all ask.
struct ManyClients {
    private let surroundings: Surroundings

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    func measure(_ figures: inout Figures) throws {
        // Three descriptors for each at most, and an eighth for other programs: what the daemon lets in of one. One is there before.
        let all = (Descriptors.limit - 64) / 3
        let room = all - all / 8 - 1
        for count in surroundings.isQuick ? [1_000] : [1_000, min(10_000, room)] {
            let daemon = try surroundings.daemon()
            let first = try surroundings.client(of: daemon)
            var alone = Timing()
            for _ in 0..<2_000 { try alone.measure { try first.exchange(Lines.get(7)) } }
            let before = daemon.memory
            let clients = try (0..<count).map { _ in try surroundings.client(of: daemon) }
            let after = daemon.memory
            var among = Timing()
            for _ in 0..<2_000 { try among.measure { try first.exchange(Lines.get(7)) } }
            figures.add("get, \(count) others idle (bare: alone)", among, against: alone)
            let (used, known) = (after.private ?? after.resident, before.private ?? before.resident)
            figures.add(
                Figure(
                    name: "memory for each of \(count) clients", unit: "KiB",
                    value: (used - known) * 1024 / Double(count), atMost: 12))
            let rate = try Load(clients).rate(Lines.get(7), total: count * 4, pipelined: 1)
            figures.add(Figure(name: "get, \(count) clients all asking", unit: "/s", value: rate))
        }
    }
}
