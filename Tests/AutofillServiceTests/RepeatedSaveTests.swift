// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

/// An interpreter runs any script: what it saved is its own on the connection on which it saved it.
@Suite("A save that is repeated")
struct RepeatedSaveTests {
    private let script = Script(path: "/usr/share/shop/app.py", hash: "aa")
    private let uri = SecretBytes(utf8: "otpauth://totp/shop:ann?secret=JBSWY3DPEHPK3PXP")

    private func connect(_ daemon: TestService) throws -> ServiceConnection {
        let connection = daemon.connect(.interpreter, script: script)
        try connection.greet()
        return connection
    }

    private func save(_ password: String, ifVersion: String? = nil) -> CredentialSave {
        CredentialSave(
            service: .shop, user: "ann", password: SecretBytes(utf8: password), ifVersion: ifVersion)
    }

    @Test("On the same connection an interpreter may repeat, change and delete what it saved")
    func sameConnection() throws {
        let daemon = try TestService(consent: .user)
        let app = try connect(daemon)
        let saved = try app.answer(to: save("one"))
        let again = try app.answer(to: save("one"))
        #expect(again.credential == saved.credential && !again.changed)
        #expect(try app.answer(to: save("two")).changed)
        #expect(try app.reasons(for: save("three", ifVersion: "9")) == ["version-mismatch"])
        #expect(try app.answer(to: CodeSet(service: .shop, user: "ann", uri: uri)).changed)
        #expect(try !app.answer(to: CodeSet(service: .shop, user: "ann", uri: uri)).changed)
        #expect(try app.answer(to: CodeDelete(service: .shop, user: "ann")).changed)
        #expect(try !app.answer(to: CodeDelete(service: .shop, user: "ann")).changed)
        #expect(daemon.questions.isEmpty)
    }

    @Test("On another connection the user is asked: another script may be running")
    func otherConnection() throws {
        let daemon = try TestService(consent: .user)
        try connect(daemon).answer(to: save("one"))
        let sent = try connect(daemon).send(save("one"))
        #expect(daemon.questions.count == 1)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try sent.reasons() == ["consent-denied"])
    }
}
