// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("Wrong set-ups, fixed as the fixes instruct", .serialized, .blocking)
struct WrittenFixTests {
    @Test("Each is fixed by following the reasons' fixes to the letter", arguments: WrongSetUp.all)
    func fixed(_ wrong: WrongSetUp) throws { try follow(wrong) }

    @Test(
        "Where it needs an administrator, following the fix as the administrator fixes it",
        .enabled(if: DelegateStage.isAvailable, "\(DelegateStage.need)"), arguments: WrongSetUp.forAdministrators)
    func administered(_ wrong: WrongSetUp) throws { try follow(wrong) }

    private func follow(_ wrong: WrongSetUp) throws {
        let stage = try RepairStage(wrong)
        var answer = try stage.ask()
        #expect(Array(Self.refusals(answer).map(\.reason).prefix(wrong.reasons.count)) == wrong.reasons, "\(answer)")
        var tried: Set<String> = []
        var rounds = 0
        while let first = Self.refusals(answer).first, rounds < 12 {
            try WrittenFix(first.fix).do(on: stage, tried: &tried)
            answer = try stage.ask()
            rounds += 1
        }
        #expect(rounds > 0 && Self.works(answer), "\(tried): \(answer)")
    }

    @Test("At least 20 wrong set-ups have at least 18 reasons")
    func count() {
        #expect(WrongSetUp.all.count >= 20)
        #expect(Set(WrongSetUp.all.flatMap(\.reasons)).count >= 18)
    }

    /// The refusals of the call, or of the strong password that it requests.
    private static func refusals(_ answer: TestAnswer) -> [(reason: String, fix: String)] {
        if answer.error != nil { return Array(zip(answer.reasons, answer.fixes)) }
        let withheld = answer.result?["withheld"] as? [[String: Any]] ?? []
        let strong = withheld.first { $0["type"] as? String == "strongPassword" }
        return (strong?["reasons"] as? [[String: Any]] ?? []).map { reason in
            (reason["reason"] as? String ?? "", reason["fix"] as? String ?? "")
        }
    }

    private static func works(_ answer: TestAnswer) -> Bool {
        answer.result != nil && (answer.result?["suggestions"] == nil || answer.types.contains("strongPassword"))
    }
}
