// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import PeerIdentity
import SecretMemory
import Support
import Testing

@testable import AutofillService
@testable import Prompting

/// What an app has called its items, in the prompts of others and in those that are proof.
@Suite("Hostile names of keychain items")
struct HostileLabelTests {
    /// Each with what is left of it: other directions, lines and controls of a terminal, markup, and as long as may be.
    static let labels = [
        ("\u{202E}gnp.exe\u{2066}", #"\u{202e}gnp.exe\u{2066}"#),
        (
            "Mail\nIdentity: installed\r\u{1B}[2J\u{7F}\u{85}\u{2028}",
            #"Mail\u{a}Identity: installed\u{d}\u{1b}[2J\u{7f}\u{85}\u{2028}"#
        ),
        ("<b>Bank</b> &amp; \\n", #"\u{3c}b\u{3e}Bank\u{3c}/b\u{3e} \u{26}amp; \u{5c}n"#),
        ("begin " + String(repeating: "x", count: 1015) + "end", "…"),
        (String(repeating: "\u{202E}", count: 341) + "x", "…"),
    ]

    private let daemon: TestService
    private let user: ServiceConnection
    private let other: ServiceConnection

    init() throws {
        daemon = try TestService(consent: .user)
        user = try daemon.user()
        other = daemon.connect(.systemProgram)
        try other.greet()
    }

    /// Nothing of a text does anything on a screen, one line is the daemon's statement of the caller, and all of it fits.
    private func expectTame(_ prompt: String, _ part: String?) {
        for scalar in prompt.unicodeScalars where scalar != "\n" {
            let isPlain = ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
                scalar.properties.generalCategory)
            #expect(isPlain && !"<>&".unicodeScalars.contains(scalar), "\(scalar.value) in \(prompt)")
        }
        let lines = prompt.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("Identity: ") } == 1 && lines.last?.hasPrefix("Identity: ") == true)
        #expect(AssuanText.line("SETDESC", prompt) != nil && prompt.utf8.count < 1000, "\(prompt)")
        if let part { #expect(prompt.contains(part), "\(prompt)") }
    }

    /// Makes a call with the user's yes as proof; returns the prompt's text.
    private func prompt(of call: some MethodCall) throws -> String {
        let sent = try user.send(call)
        guard let approval = daemon.approvals.first else { throw try #require(try sent.refusal()) }
        try daemon.answer(approval, isApproved: true)
        return approval.prompt.description
    }

    @Test("A label is shown escaped, and cut, wherever the user is asked about its item", arguments: labels)
    func label(_ label: String, shown: String) throws {
        let app = try daemon.connect(as: "org.example.Shop")
        let (data, details) = (SecretBytes(utf8: "s3cret"), ItemDetails(attributes: ["a": "b"], label: label))
        let add = KeychainSet(.attributes(accessGroup: nil), details: details, data: data)
        let id = try app.answer(to: add).item
        #expect(try app.answer(to: KeychainSearch(attributes: ["a": "b"])).items.first?.details.label == label)

        // Another program reads it. What is kept of its word is for that item, by its id.
        _ = try other.send(KeychainGet(.id(id)))
        let question = try #require(daemon.questions.first)
        for prompt in [question.first, question.afterYes].compactMap(\.self) { expectTame(prompt.description, nil) }
        try daemon.answer(question, .deny)

        let adding = KeychainSet(
            .attributes(accessGroup: "org.example.Shop"), details: details, data: data, proof: .prompt)
        expectTame(try prompt(of: adding), shown)
        let moving = KeychainSet(.item(id), details: ItemDetails(collection: "c"), data: nil, proof: .prompt)
        expectTame(try prompt(of: moving), shown)
        expectTame(try prompt(of: KeychainDelete(.id(id), proof: .prompt)), shown)
    }

    @Test("The names of an item are shown escaped, and cut, wherever the user is asked about it", arguments: labels)
    func place(_ name: String, shown: String) throws {
        let app = try daemon.connect(as: "org.example.Shop")
        try app.answer(to: KeychainSet(namespace: name, account: name, data: SecretBytes(utf8: "s3cret")))
        _ = try other.send(KeychainGet(.place(namespace: name, account: name)))
        let question = try #require(daemon.questions.first)
        expectTame(question.first.description, shown)
        try daemon.answer(question, .deny)
        let place = ItemName.place(namespace: name, account: name, accessGroup: "org.example.Shop")
        let beginning = shown == "…" ? shown : String(shown.prefix(4))
        let renaming = KeychainRename(place, newPlace: PlaceName(namespace: "a", account: name), proof: .prompt)
        expectTame(try prompt(of: renaming), beginning)
        let renamed = ItemName.place(namespace: "a", account: name, accessGroup: "org.example.Shop")
        expectTame(try prompt(of: KeychainDelete(renamed, proof: .prompt)), beginning)
    }
}
