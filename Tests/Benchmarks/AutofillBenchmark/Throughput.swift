// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport

/// Requests a second: `credential.get` with 1, 8 and 64 clients, one at a time and 16 at a time, alternately with the
/// floor.
struct Throughput {
    private let environment: BenchmarkEnvironment

    init(_ environment: BenchmarkEnvironment) { self.environment = environment }

    func measure(_ figures: inout Figures) throws {
        let bare = try environment.bare()
        let daemon = try environment.daemon()
        let line = Lines.get(7)
        let length = try environment.client(of: daemon).exchange(line)
        let echoed = Lines.bare(request: line.count, answer: length)
        let total = environment.isQuick ? 4_000 : 20_000
        for depth in [1, 16] {
            for count in [1, 8, 64] {
                let echo = Load(try (0..<count).map { _ in try Connection(to: bare) })
                let apps = Load(try (0..<count).map { _ in try environment.client(of: daemon) })
                var (floor, rate) = (Timing(), Timing())
                for _ in 0..<(environment.isQuick ? 5 : 15) {
                    floor.add(try echo.rate(echoed, total: total, pipelined: depth))
                    rate.add(try apps.rate(line, total: total, pipelined: depth))
                }
                figures.add(
                    Figure(
                        name: "get, \(count) clients" + (depth == 1 ? "" : ", \(depth) at a time"), unit: "/s",
                        value: rate.median, bare: floor.median, atLeast: count == 64 && depth == 1 ? 0.2 : nil))
            }
        }
    }
}
