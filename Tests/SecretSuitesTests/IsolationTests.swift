// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// Two programs that call all of Secret Service on each other's items, and a monitor of the bus that reads every
/// message.
@Suite(
    "Secret Service between two programs", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.needs)"))
struct SecretIsolationTests {
    private struct Outcome: Decodable {
        struct Program: Decodable {
            let answers: Int
            let errors: [String: Int]
            let own: Int
            let foreign: Int
            let lost: [String]
        }
        struct Round: Decodable {
            /// The data of one program that another has received: "first to second: label".
            let received: [String: Int]?
            let seen: Int?
            let first: Program?
            let second: Program?
            let grants: Int?
        }
        let messages: Int
        let rounds: [Round]
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
    }

    /// - Parameter yes: how often the second program is allowed what the first made.
    private func run(yes: Int, _ arguments: [String]) throws -> (Outcome?, String) {
        let python = ["-B", SecretStage.folder + "isolation.py", "--consent", directory.path, "\(yes)"]
        try directory.write("consent", try ForeignProgram("/usr/bin/python3", python).output)
        let program = ["/usr/bin/python3", "-B", SecretStage.folder + "isolation.py", directory.path] + arguments
        let run = try SecretStage.run(program, consent: ["script", directory.path + "/consent"])
        let line = run.output.split(separator: "\n").last { $0.hasPrefix("{\"messages\"") } ?? ""
        return (try? JSONDecoder().decode(Outcome.self, from: Data(line.utf8)), run.output)
    }

    @Test(
        "In 2,000 random calls of each no program receives another's label, attribute or secret, and nothing is lost",
        arguments: [1])
    func refused(seed: Int) throws {
        let (outcome, output) = try run(yes: 0, ["2000", "\(seed)"])
        let round = try #require(outcome?.rounds.first, "\(output)")
        #expect(round.received == [:], "\(output)")
        // The test can fail: each has received its own data, and found the other's items.
        for program in [round.first, round.second] {
            let program = try #require(program)
            #expect(program.lost == [] && program.own > 5 && program.foreign > 5 && program.answers > 500, "\(output)")
        }
        #expect((round.seen ?? 0) > 500, "\(output)")
    }

    @Test("Only the program with a grant receives the data, and none after the grant is revoked")
    func granted() throws {
        // It is used at once: none is left when the grant is revoked.
        let (outcome, output) = try run(yes: 1, ["2000", "2", "revoke"])
        let rounds = try #require(outcome?.rounds, "\(output)")
        try #require(rounds.count == 3, "\(output)")
        let granted = try #require(rounds[0].received)
        #expect(granted["first to second: secret"] ?? 0 > 0, "\(output)")
        #expect(granted.keys.allSatisfy { $0.hasPrefix("first to second: ") }, "\(output)")
        #expect(rounds[0].first != nil && rounds[0].second?.lost == [], "\(output)")
        #expect(rounds[1].grants ?? 0 > 0, "\(output)")
        #expect(rounds[2].received == [:] && rounds[2].first?.lost == [] && rounds[2].second?.lost == [], "\(output)")
    }
}
