// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("Set up wrong, and mended by the fix's own words", .serialized, .blocking)
struct MendingTests {
    @Test("Each is mended by doing what the reasons' fixes say, word for word", arguments: WrongSetUp.all)
    func mended(_ wrong: WrongSetUp) throws { try mend(wrong) }

    @Test(
        "Where it takes an administrator, what the fix has them do mends it",
        .enabled(if: DelegateStage.isAvailable, "\(DelegateStage.need)"), arguments: WrongSetUp.forAdministrators)
    func administered(_ wrong: WrongSetUp) throws { try mend(wrong) }

    private func mend(_ wrong: WrongSetUp) throws {
        let stage = try MendingStage(wrong)
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

    @Test("There are twenty of them or more, by twenty reasons or nearly")
    func count() {
        #expect(WrongSetUp.all.count >= 20)
        #expect(Set(WrongSetUp.all.flatMap(\.reasons)).count >= 18)
    }

    /// Of the call, or of the strong password that it asks for.
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
