// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite(
    "A connection to the bus counts as its process's only while that process holds it", .blocking,
    .timeLimit(.minutes(10)), .enabled(if: ExecAttack.isAvailable, "\(ExecAttack.need)"))
struct ConnectThenExecTests {
    /// Races in each form; 300 with AUTOFILL_FULL=1.
    private static let races = ProcessInfo.processInfo.environment["AUTOFILL_FULL"] == "1" ? 300 : 10

    @Test(
        "A program that connects and then executes a victim, while its child makes calls, receives nothing of the victim's",
        arguments: ExecAttack.Form.allCases,
        [["store", "--label=x", "a", "b"], ["lookup", "service", "none"]])
    func connectThenExec(form: ExecAttack.Form, victim: [String]) throws {
        let stage = try SecretStage(consent: "* * deny\n")
        let attack = try ExecAttack(stage)
        let outcome = try attack.run(form, races: form == .stopped ? Self.races / 5 : Self.races, seed: 1, victim)
        print("\(form), \(victim[0]): \(outcome)")
        #expect(outcome.released == 0, "\(outcome)")
        // The victim itself still gets it.
        let own = try stage.run(program: "one", ["lookup", "service", "mail"])
        #expect(own.output == "s3cr3t", "\(own.output)\(stage.log)")
    }
}
