// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// Measures the release daemon against a bare echo server in the same run. `Tests/bench` builds and starts it.
@main
struct AutofillBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Tests/bench",
        abstract: "Measures autofilld, on throwaway vaults, against a bare echo over a Unix socket in the same run.",
        discussion:
            "Ratios hold between runs and machines; absolute times do not. Runs for 25 minutes, with --quick for five.")

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
    var only: [Section] = Section.allCases

    @Option(help: ArgumentHelp("Of worst-app only these: \(WorstApp.ways.joined(separator: ", ")).", valueName: "way"))
    var ways: [String] = WorstApp.ways

    enum Section: String, CaseIterable, ExpressibleByArgument {
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
        let environment = try BenchmarkEnvironment(folder: folder, isQuick: quick)
        for section in Section.allCases where only.contains(section) {
            let made = try figures.take { try measure(section, in: environment, &$0) }
            for figure in made { print(figure.line(since: before?[figure.name])) }
        }
        if let json { try figures.write(to: json) }
    }

    private func measure(_ section: Section, in environment: BenchmarkEnvironment, _ figures: inout Figures) throws {
        switch section {
        case .roundtrips:
            try OneCore.run { try RoundTrips(environment).measure(&figures) }
            try RoundTrips(environment).measureFreely(&figures)
        case .throughput: try Throughput(environment).measure(&figures)
        case .clients: try ManyClients(environment).measure(&figures)
        case .abuse: try Abuse(environment).measure(&figures)
        case .worstApp: try WorstApp(environment, ways).measure(&figures)
        case .turns: try LongestTurns(environment).measure(&figures)
        case .memory: try Memory(environment).measure(&figures)
        case .start: try ColdStart(environment).measure(&figures)
        case .helpers: try HelperStart(environment).measure(&figures)
        case .vaults: try VaultSizes(environment).measure(&figures)
        case .passwords: try Passwords(environment).measure(&figures)
        }
    }
}
