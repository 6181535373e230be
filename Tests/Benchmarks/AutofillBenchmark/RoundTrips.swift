// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import Foundation

/// One client, one request after the other, each kind alternately with the floor's. On one core: see `OneCore`.
struct RoundTrips {
    private let environment: BenchmarkEnvironment
    /// Below what an app may save for a site without the user's proof (1,000), and in all (10,000).
    private static let savesPerSite = 900

    init(_ environment: BenchmarkEnvironment) { self.environment = environment }

    func measure(_ figures: inout Figures) throws {
        let bare = try environment.bare()
        let daemon = try environment.daemon()
        let echo = try Connection(to: bare)
        let app = try environment.client(of: daemon)
        let gets = (0..<100).map(Lines.get)
        let echoed = Lines.bare(request: gets[0].count, answer: try app.exchange(gets[0]))
        let database = BareDatabase(path: environment.folder + "/bare.sqlite")
        let bytes = [17, 32, 284].map { [UInt8](repeating: 1, count: $0) }
        var (echoes, get, own, again) = (Timing(), Timing(), Timing(), Timing())
        var (suggest, save, insert) = (Timing(), Timing(), Timing())
        let repeated = Lines.suggest(form: "known")
        try app.exchange(repeated)
        try app.exchange(Lines.save("own", to: BenchmarkEnvironment.savedSites[0]))
        let saved = Lines.get("\(BenchmarkEnvironment.savedSites[0]).\(BenchmarkEnvironment.service)", "own")
        for round in 0..<(environment.isQuick ? 40 : 400) {
            for _ in 0..<50 { try echoes.measure { try echo.exchange(echoed) } }
            for _ in 0..<50 { try get.measure { try app.exchange(gets.randomElement() ?? gets[0]) } }
            for _ in 0..<50 { try own.measure { try app.exchange(saved) } }
            for _ in 0..<10 { try again.measure { try app.exchange(repeated) } }
            for number in 0..<10 {
                let site = BenchmarkEnvironment.savedSites[round * 10 / Self.savesPerSite]
                let line = Lines.save("new-\(round)-\(number)", to: site)
                insert.measure { database.insert(id: bytes[0], lookup: bytes[1], sealed: bytes[2]) }
                try save.measure { try app.exchange(line) }
            }
            for number in 0..<4 {
                let line = Lines.suggest(form: "\(round)-\(number)")
                try suggest.measure { try app.exchange(line) }
                try app.exchange(Lines.decline(try offer(in: try app.answer(line))))
            }
        }
        figures.add("bare echo", echoes)
        figures.add("credential.get", get, against: echoes, atMost: 4)
        figures.add("credential.get, what the app has saved", own, against: echoes)
        figures.add("suggest, an offer that is there", again, against: echoes)
        figures.add("suggest, a new strong password, durable", suggest, against: echoes)
        figures.add("bare SQLite insert and commit, FULL", insert)
        figures.add(
            Figure(
                name: "save, durable (bare: insert and one echo)", unit: "µs", value: save.median,
                p99: save.percentile(0.99), bare: insert.median + echoes.median,
                bareP99: insert.percentile(0.99) + echoes.percentile(0.99), atMost: 1.5))
    }

    /// The same without the choice of a core: what the scheduler's choices cost on top.
    func measureFreely(_ figures: inout Figures) throws {
        let echo = try Connection(to: try environment.bare())
        let app = try environment.client(of: try environment.daemon())
        let gets = (0..<100).map(Lines.get)
        let echoed = Lines.bare(request: gets[0].count, answer: try app.exchange(gets[0]))
        var (echoes, get) = (Timing(), Timing())
        for _ in 0..<(environment.isQuick ? 40 : 400) {
            for _ in 0..<50 { try echoes.measure { try echo.exchange(echoed) } }
            for _ in 0..<50 { try get.measure { try app.exchange(gets.randomElement() ?? gets[0]) } }
        }
        figures.add("bare echo, on any core", echoes)
        figures.add("credential.get, on any core", get, against: echoes)
    }

    private func offer(in answer: String) throws -> String {
        guard let start = answer.range(of: #""offer":""#)?.upperBound else { throw BenchmarkFault(answer) }
        return String(answer[start...].prefix(36))
    }
}
