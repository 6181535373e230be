// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Support
import Testing

@testable import AutofillService

@Suite("Caches that are full")
struct FullCacheTests {
    @Test("A reason that was logged for a form stays logged while others come")
    func formReasons() {
        var memory = FormMemory()
        func isFirst(_ number: Int) -> Bool {
            memory.isFirst(FormMemory.LoggedReason(form: nil, field: "field \(number)", reason: "vault-locked"))
        }
        for number in 0..<Limits.rememberedFormReasons { #expect(isFirst(number)) }
        #expect(!isFirst(Limits.rememberedFormReasons - 1))
        #expect(isFirst(Limits.rememberedFormReasons))
        #expect(!isFirst(Limits.rememberedFormReasons - 1), "the oldest go, not this one")
    }

    @Test("A denial is not forgotten for those of others that come after it, but for the one that ends first")
    func denials() {
        var denials = Denials()
        for number in 0...Limits.rememberedDenials {
            _ = denials.note(.approval(program: "\(number)"), at: Int64(number))
        }
        let now = Int64(Limits.rememberedDenials)
        #expect(denials.remaining(of: .approval(program: "0"), at: now) == nil)
        for number in 1...Limits.rememberedDenials {
            #expect(denials.remaining(of: .approval(program: "\(number)"), at: now) != nil, "\(number)")
        }
    }

    @Test("Withdrawals of one question are not forgotten for those of others, but for the one withdrawn longest ago")
    func withdrawals() {
        var denials = Denials()
        func program(_ number: Int) -> Denials.Question { .approval(program: "\(number)") }
        for number in 0...Limits.rememberedDenials { denials.noteWithdrawal(of: program(number), at: Int64(number)) }
        let now = Int64(Limits.rememberedDenials)
        for number in [1, 0] {
            for _ in 1..<Limits.deniedWithdrawals { denials.noteWithdrawal(of: program(number), at: now) }
        }
        #expect(denials.remaining(of: program(1), at: now) == Int64(Limits.denialMilliseconds))
        #expect(denials.remaining(of: program(0), at: now) == nil)
    }
}
