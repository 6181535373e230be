// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import Foundation

/// What a well-behaved client gets while others misbehave: its median against its own without them.
struct Abuse {
    private let environment: BenchmarkEnvironment

    init(_ environment: BenchmarkEnvironment) { self.environment = environment }

    func measure(_ figures: inout Figures) throws {
        let daemon = try environment.daemon()
        let client = try environment.client(of: daemon)
        let socket = daemon.socket
        try abuse("connect and drop", daemon, client, &figures) { [Repeating { _ = try Connection(to: socket) }] }
        try abuse("500 that never send hello", daemon, client, &figures) {
            let silent = try (0..<500).map { _ in try Connection(to: daemon.socket) }
            return [
                Repeating {
                    _ = silent
                    usleep(1000)
                }
            ]
        }
        try abuse("64 that write a byte a millisecond", daemon, client, &figures) {
            let slow = try (0..<64).map { _ in try environment.client(of: daemon) }
            return [
                Repeating {
                    for connection in slow { try connection.write([UInt8(ascii: " ")]) }
                    usleep(1000)
                }
            ]
        }
        try abuse("64 that do not read their answers", daemon, client, &figures) {
            let deaf = try (0..<64).map { _ in try environment.client(of: daemon) }
            let lines = [UInt8]((0..<64).flatMap { _ in Lines.get(7) })
            return [
                Repeating {
                    for connection in deaf { connection.writeSome(lines) }
                    usleep(1000)
                }
            ]
        }
        let hostile: [(String, [UInt8])] = [
            ("lines at the limit", Lines.long), ("deep nesting", Lines.deep), ("refused requests", Lines.refused),
        ]
        for (name, line) in hostile {
            try abuse(name, daemon, client, &figures) {
                let connection = try environment.client(of: daemon)
                return [Repeating { try connection.exchange(line, refusalIsExpected: true) }]
            }
        }
        try abuse("refused requests, 16 at a time", daemon, client, &figures) {
            let connection = try environment.client(of: daemon)
            let lines = [UInt8]((0..<16).flatMap { _ in Lines.refused })
            return [Repeating { try connection.exchange(lines, answers: 16, refusalIsExpected: true) }]
        }
    }

    /// Memory is measured some seconds after the abusers have ended: the daemon returns it every five.
    private func abuse(
        _ name: String, _ daemon: Server, _ client: Connection, _ figures: inout Figures,
        _ start: () throws -> [Repeating]
    ) throws {
        var (alone, among) = (Timing(), Timing())
        let before = daemon.memory
        for _ in 0..<(environment.isQuick ? 3 : 10) {
            for _ in 0..<500 { try alone.measure { try client.exchange(Lines.get(7)) } }
            let abusers = try start()
            for _ in 0..<500 { try among.measure { try client.exchange(Lines.get(7)) } }
            for abuser in abusers { abuser.end() }
        }
        figures.add("get beside \(name) (bare: alone)", among, against: alone, atMost: 2)
        sleep(6)
        let after = daemon.memory
        figures.add(
            Figure(
                name: "memory kept after \(name)", unit: "MiB",
                value: (after.private ?? after.resident) - (before.private ?? before.resident)))
    }
}
