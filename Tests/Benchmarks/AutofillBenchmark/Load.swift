// SPDX-License-Identifier: Apache-2.0
import CLoad

/// Many clients on one thread; each keeps so many requests under way.
struct Load {
    private let clients: [Connection]

    init(_ clients: [Connection]) { self.clients = clients }

    /// Requests answered in a second. `total` is for all clients together.
    func rate(_ line: [UInt8], total: Int, pipelined depth: Int) throws -> Double {
        let seconds = load_run(
            clients.map(\.descriptor), Int32(clients.count), line, line.count, total, Int32(depth))
        guard seconds > 0 else { throw BenchmarkFault("a connection failed, or no answer for a minute") }
        return Double(total) / seconds
    }
}
