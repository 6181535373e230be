// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import PeerIdentity
import Prompting
import SecretMemory
import Support
import Testing

/// What the server reports of a request's sender, and what the service makes of it. `SenderTests` has the real processes.
@Suite("The sender of a request")
struct SenderOfRequestTests {
    private let daemon: TestService
    /// A program that the user has allowed what is saved for the shop.
    private let app: ServiceConnection

    init() throws {
        daemon = try TestService(consent: .fixed(.allow))
        try daemon.user().answer(to: CredentialSave("ann", "s3cret", proof: .test))
        app = daemon.connect(.systemProgram)
        try app.greet()
        #expect(try app.answer(to: Self.get).password.text == "s3cret")
    }

    private static let get = CredentialGet(service: .shop)
    private static let suggest = AutofillSuggest(service: .shop, form: FormDescription(.signIn))

    /// Sends a call that may have been sent before the peer was inspected.
    private func sendEarly<Call: MethodCall>(
        _ call: Call, from connection: ServiceConnection? = nil
    ) throws -> SentCall<Call> {
        let sender = connection ?? app
        let (sent, line) = sender.prepare(call)
        try daemon.onEngine { [client = sender.client] engine in
            _ = line.withUnsafeBytes { engine.receive($0, from: client, isEarly: true) }
        }
        return sent
    }

    private func reasonsForEarly(_ call: some MethodCall) throws -> [String] { try sendEarly(call).reasons() }

    /// attacks.md, a hostile program, 3
    @Test("A request that may be older than the inspection of its sender gets no secret and no user name")
    func early() throws {
        #expect(try sendEarly(Self.get).reasons() == ["peer-changed"])
        #expect(try sendEarly(Self.suggest).reasons() == ["peer-changed"])
        #expect(try app.answer(to: Self.get).password.text == "s3cret", "the next request is not affected")
        let suggested = try app.answer(to: Self.suggest)
        #expect(suggested.savedCredentials?.credentials.map(\.user) == ["ann"])
    }

    /// attacks.md, a hostile program, 3
    @Test("Nor does it get the name of anything that is kept for the app")
    func names() throws {
        let secret = SecretBytes(utf8: "s3cret")
        let place = ItemPlace(namespace: "a", account: "b", accessGroup: nil)
        let item = try app.answer(
            to: KeychainSet(.place(place), details: ItemDetails(attributes: ["x": "y"]), data: secret)
        ).item
        try app.answer(to: SignInStart(name: "Ann", account: "ann@example.com", password: secret))
        let calls: [any MethodCall] = [
            CredentialList(service: .shop), KeychainSearch(namespace: "a"), KeychainRequest(items: [item]),
            KeychainSearch(attributes: ["x": "y"]), SignInStatus(),
        ]
        for call in calls {
            #expect(try reasonsForEarly(call) == ["peer-changed"], "\(call)")
            #expect(try app.reasons(for: call) == [], "\(call)")
        }
    }

    /// attacks.md, a hostile program, 3
    @Test("Nor does such a request of a sandboxed app get what the app has been allowed")
    func sandboxed() throws {
        var peer = PeerEvidence.systemProgram
        peer.sandbox = .flatpak(
            FlatpakInstance(appID: "org.example.Shop"), .deployed(installation: "system", files: "/f"))
        let flatpak = daemon.connect(peer)
        try flatpak.greet()
        #expect(try flatpak.answer(to: Self.get).password.text == "s3cret")
        #expect(try sendEarly(Self.get, from: flatpak).reasons() == ["peer-changed"])
    }

    @Test("What names nobody is answered to a request that is as old, and so is one with proof")
    func harmless() throws {
        let form = AutofillSuggest(service: .shop, form: FormDescription(.signUp))
        #expect(try sendEarly(form).answer().strongPassword != nil)
        #expect(try sendEarly(CredentialGet(service: .shop, proof: .test)).answer().password.text == "s3cret")
    }

    /// attacks.md, a hostile program, 3
    @Test("Once another process than the one that connected has sent anything, the connection gets nothing more")
    func otherSender() throws {
        try daemon.onEngine { [client = app.client] engine in engine.noteOtherSender(client) }
        #expect(try app.reasons(for: Self.get) == ["peer-changed"])
        #expect(try app.reasons(for: Self.suggest) == ["peer-changed"])
        let other = daemon.connect(.systemProgram)
        try other.greet()
        #expect(try other.answer(to: Self.get).password.text == "s3cret", "other connections are not affected")
    }
}
