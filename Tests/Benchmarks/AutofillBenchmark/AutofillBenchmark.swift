// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// Measures the release daemon against a bare echo server in the same run. `Tests/bench` builds and starts it.
@main
struct AutofillBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Tests/bench",
        abstract: "Measures autofilld, on throwaway vaults, against a bare echo over a Unix socket in the same run.",
        discussion: "Ratios hold between runs and machines; absolute times do not. Takes 25 minutes, --quick five.")

    @Flag(help: "Fewer rounds, vaults of at most 10,000 credentials and 1,000 clients.")
    var quick = false

    @Option(help: ArgumentHelp("Keep the figures as JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Show the change since figures that --json kept.", valueName: "file"))
    var compare: String?

    @Option(help: ArgumentHelp("Where the vaults are, for the length of the run.", valueName: "dir"))
    var directory = NSTemporaryDirectory()

    @Option(
        help:
            "Only some: roundtrips, throughput, clients, abuse, worst-app, turns, memory, start, helpers, vaults, passwords."
    )
    var only: [Part] = Part.allCases

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case roundtrips, throughput, clients, abuse
        case worstApp = "worst-app"
        case turns, memory, start, helpers, vaults, passwords
    }

    func run() throws {
        let before = try compare.map { try Figures(contentsOf: $0) }
        let folder = directory + "/af-bench-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        Descriptors.raiseLimit()
        var figures = Figures()
        let surroundings = try Surroundings(folder: folder, isQuick: quick)
        for part in Part.allCases where only.contains(part) {
            let made = try figures.take { try measure(part, in: surroundings, &$0) }
            for figure in made { print(figure.line(since: before?[figure.name])) }
        }
        if let json { try figures.write(to: json) }
    }

    private func measure(_ part: Part, in surroundings: Surroundings, _ figures: inout Figures) throws {
        switch part {
        case .roundtrips: try OneCore.run { try RoundTrips(surroundings).measure(&figures) }
        case .throughput: try Throughput(surroundings).measure(&figures)
        case .clients: try ManyClients(surroundings).measure(&figures)
        case .abuse: try Abuse(surroundings).measure(&figures)
        case .worstApp: try WorstApp(surroundings).measure(&figures)
        case .turns: try LongestTurns(surroundings).measure(&figures)
        case .memory: try Memory(surroundings).measure(&figures)
        case .start: try ColdStart(surroundings).measure(&figures)
        case .helpers: try HelperStart(surroundings).measure(&figures)
        case .vaults: try VaultSizes(surroundings).measure(&figures)
        case .passwords: try Passwords(surroundings).measure(&figures)
        }
    }
}
