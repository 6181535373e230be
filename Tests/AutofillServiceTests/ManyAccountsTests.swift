// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import SecretMemory
import Support
import Testing

@testable import Prompting

/// attacks.md, one sandboxed app, 4: no request opens all that a site may have.
@Suite("A site with as many accounts as may be")
struct ManyAccountsTests {
    private let daemon: TestService
    private let user: ServiceConnection
    private let shop: ServiceConnection

    init() throws {
        daemon = try TestService(consent: .user)
        user = try daemon.user()
        shop = try daemon.connect(as: "org.example.Shop")
    }

    private func allow() throws {
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
    }

    private func save(_ numbers: Range<Int>) throws {
        for number in numbers {
            daemon.clock.advance(by: .milliseconds(1))
            try user.answer(to: CredentialSave("user\(number)", "of \(number)", proof: .test))
        }
    }

    private func suggestion() throws -> SavedCredentialsSuggestion {
        try #require(
            try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signIn))).savedCredentials)
    }

    private func get(_ number: Int) -> CredentialGet { CredentialGet(service: .shop, user: "user\(number)") }

    @Test("A hundred accounts are all suggested; of a thousand the hundred used last, and that there are more")
    func suggested() throws {
        try allow()
        try save(0..<100)
        let all = try suggestion()
        #expect(all.credentials.count == 100 && !all.hasMore)
        try save(100..<1000)
        // One that was not among the last is, once it was used.
        try shop.answer(to: get(7))
        let some = try suggestion()
        #expect(some.credentials.count == 100 && some.credentials.first?.user == "user7" && some.hasMore)
        // Any other is filled where the app names it.
        #expect(try shop.answer(to: get(8)).password.text == "of 8")
    }

    @Test("The user picks from the hundred that were used last, and the prompt states so")
    func picked() throws {
        try allow()
        try save(0..<120)
        let fill = try shop.send(AutofillFill(service: .shop, form: FormDescription(.signIn)))
        let question = try #require(daemon.questions.first)
        #expect(question.accounts.count == 100)
        let page = try #require(question.pages.first)
        let text = question.pick(from: page, isLast: false, error: nil).description
        #expect(text.contains("Only the 100 that were used last are here."))
        let place = try #require(question.accounts.lastIndex { $0.user == "user20" })
        // Others were used meanwhile: what was picked is filled all the same.
        for number in 0..<20 { try shop.answer(to: get(number)) }
        try daemon.pick(place, of: question, .once)
        let filled = try fill.answer()
        #expect(filled.user == "user20" && filled.password?.text == "of 20")
    }

    @Test("Codes are suggested of the hundred accounts used last; without a grant nothing reveals how many there are")
    func codes() throws {
        try save(0..<120)
        let uri = "otpauth://totp/x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
        for number in [0, 119] {
            try user.answer(
                to: CodeSet(service: .shop, user: "user\(number)", uri: SecretBytes(utf8: uri), proof: .test))
        }
        let fields = [FieldDescription(id: "code", contentType: "oneTimeCode")]
        func suggested() throws -> OneTimeCodeSuggestion {
            try #require(
                try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(fields))).oneTimeCode)
        }
        let before = try suggested()
        #expect(before.codes.isEmpty && !before.hasMore)
        try allow()
        let after = try suggested()
        #expect(after.codes.contains { $0.user == "user119" } && after.hasMore)
    }
}
