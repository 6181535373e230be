// SPDX-License-Identifier: Apache-2.0
import Foundation
import PasswordRules
import SecretMemory

/// Times parsing, counting and drawing, and reading forms, on one thread, and `pwgen -s 20` in the same run where it is
/// installed.
///
/// `AUTOFILL_BENCH=1 swift run -c release RulesBenchmark [password-rules.json]`: the file holds the rules of real
/// sites, as in the project password-manager-resources.
@main
struct RulesBenchmark {
    static func main() throws {
        let sites = try realSites()
        let pwgen = try pwgenRate()
        try drawing("default (readable)", "", style: .readable, pwgen)
        try drawing("default (random)", "", style: .random, pwgen)
        let strict = "required: lower; required: upper; required: digit; required: special; "
        try drawing("strict", strict + "minlength: 8; maxlength: 12; max-consecutive: 2", style: .random, pwgen)
        try drawing(
            "rare", "required: [a]; required: [b]; required: [c]; allowed: ascii-printable", style: .random, pwgen)
        try parsing(sites)
        try counting(sites)
        try worstCounts()
        try readingForms()
    }

    /// Processor time, user and system, so that other work on the machine does not count.
    static func seconds(of who: __rusage_who = RUSAGE_SELF, _ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var usage = rusage()
            getrusage(__rusage_who_t(who.rawValue), &usage)
            return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
        }
        let start = now()
        try body()
        return now() - start
    }

    static func line(_ name: String, _ text: String) {
        print(name.padding(toLength: 28, withPad: " ", startingAt: 0), text)
    }

    static func realSites() throws -> [String] {
        let path = CommandLine.arguments.dropFirst().first ?? "../shared/fixtures/quirks/password-rules.json"
        guard let data = FileManager.default.contents(atPath: path) else {
            line("real sites", "\(path) is absent: built-in rules instead")
            return [
                "minlength: 8; maxlength: 20; required: lower; required: upper; required: digit;",
                "minlength: 6; maxlength: 16;",
                "minlength: 8; required: lower, upper; required: digit; max-consecutive: 2; allowed: [-!#$%&*@^_];",
            ]
        }
        return try JSONDecoder().decode([String: [String: String]].self, from: data).values
            .compactMap { $0["password-rules"] }
    }

    static func pwgenRate() throws -> Double? {
        let pwgen = Process()
        pwgen.executableURL = URL(filePath: "/usr/bin/pwgen")
        pwgen.arguments = ["-s", "20", "1000000"]
        pwgen.standardOutput = FileHandle.nullDevice
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/pwgen") else {
            line("pwgen -s 20", "not installed")
            return nil
        }
        let time = try seconds(of: RUSAGE_CHILDREN) {
            try pwgen.run()
            pwgen.waitUntilExit()
        }
        line("pwgen -s 20", "\(Int(1e6 / time)) passwords/s")
        return 1e6 / time
    }

    static func drawing(_ name: String, _ rules: String, style: PasswordGenerator.Style, _ pwgen: Double?) throws {
        let generator = try PasswordGenerator(
            rules: PasswordRules(descriptor: rules), options: .init(style: style))
        var entropy = SystemEntropy()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: generator.length, alignment: 8)
        defer { memory.deallocate() }
        let time = seconds { for _ in 0..<1_000_000 { generator.draw(into: memory, using: &entropy) } }
        let ratio = pwgen.map { String(format: ", %.1f × pwgen", 1e6 / time / $0) } ?? ""
        line("draw, \(name)", "\(Int(1e6 / time)) passwords/s\(ratio); \(generator.length) characters")
    }

    static func parsing(_ sites: [String]) throws {
        let rounds = 2_000_000 / sites.count
        let time = try seconds {
            for _ in 0..<rounds { for site in sites { _ = try PasswordRules(descriptor: site) } }
        }
        line("parse", "\(Int(Double(rounds * sites.count) / time)) descriptors/s")
    }

    static func counting(_ sites: [String]) throws {
        var slowest = (time: 0.0, site: "")
        var total = 0.0
        for site in sites {
            let rules = try PasswordRules(descriptor: site)
            let length = min(max(rules.minLength ?? 0, 20), rules.maxLength ?? 20, 256)
            let time = try seconds { _ = try rules.count(length: length) }
            total += time
            if time > slowest.time { slowest = (time, site) }
        }
        line("count, real sites", String(format: "mean %.3f ms", total / Double(sites.count) * 1e3))
        line("count, slowest real site", String(format: "%.3f ms: ", slowest.time * 1e3) + slowest.site)
    }

    static func worstCounts() throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        func overlapping(_ sets: Int, _ size: Int, of alphabet: Int) -> String {
            (0..<sets).map { set in
                "required: [" + String((0..<size).map { letters[(set * 3 + $0 * ($0 + set)) % alphabet] }) + "]"
            }.joined(separator: "; ")
        }
        let four = "required: lower; required: upper; required: digit; required: special; "
        for (name, rules, length) in [
            ("8 overlapping sets, 20", overlapping(8, 6, of: 24), 20),
            ("8 overlapping sets, 256", overlapping(8, 6, of: 24), 256),
            ("6 overlapping sets, 256", overlapping(6, 6, of: 24), 256),
            ("14 single characters, 64", letters.prefix(14).map { "required: [\($0)]" }.joined(separator: ";"), 64),
            ("strict, 256", four + "max-consecutive: 2", 256),
            ("strict, runs of 4, 256", four + "max-consecutive: 4", 256),
            ("long runs, 256", four + "max-repeating: 100", 256),
            ("9 overlapping sets, 20", overlapping(9, 6, of: 24), 20),
            (
                "counters, 256",
                "required: [ab]; required: [bc]" + String(repeating: "; required: [ab]; required: [bc]", count: 60), 256
            ),
        ] {
            let rules = try PasswordRules(descriptor: rules)
            var outcome = ""
            let time = seconds {
                do throws(PasswordRulesRefusal) {
                    outcome = "counted, \(Int((try rules.count(length: length).bits ?? 0))) bits"
                } catch { outcome = error.message }
            }
            line("count, \(name)", String(format: "%.2f ms: ", time * 1e3) + outcome)
        }
    }
}
