// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import Testing

/// The code of an app: the example in the documentation of `AutofillSession`.
private struct SignUpScreen {
    var form = AutofillForm(
        for: .domain("shop.example.com"),
        fields: [
            FormField("mail", .username, keyboardType: .emailAddress),
            FormField("pass", .newPassword, isSecureTextEntry: true),
            FormField("again", .newPassword, isSecureTextEntry: true),
        ])
    /// The values of the fields.
    var texts: [String: String] = [:]
    var hint = ""

    /// - Parameter submit: sends the texts to the site.
    mutating func signUp(socketPath: String, submit: ([String: String]) async -> Bool) async throws(AutofillError) {
        do throws(AutofillError) {
            let session = try await AutofillSession.connect(bundleID: "org.example.Shop", socketPath: socketPath)
            let suggestions = try await session.suggestions(for: form)
            guard let offer = suggestions.strongPassword else {
                hint = suggestions.strongPasswordWithheld.map(\.fix).joined(separator: "\n")
                return
            }
            texts = try await session.fill(offer).values
            if await submit(texts) {
                try await session.accept(offer, user: "jo@example.com")
            } else {
                try await session.decline(offer)
            }
        } catch .unavailable(let why) {
            hint = why.fix
        } catch {
            throw error
        }
    }
}

@Suite("The example of the documentation")
struct ExampleTests {
    @Test("It signs up", .enabled(if: TestDaemon.isThere, TestDaemon.absence))
    func signsUp() async throws {
        let daemon = try await TestDaemon(consent: "allow")
        var screen = SignUpScreen()
        repeat {
            // On a machine that is busy with tests a slow service counts as not available.
            screen.hint = ""
            try await screen.signUp(socketPath: daemon.socket) { $0.count == 2 }
        } while screen.hint == AutofillUnavailable.notResponding.fix
        let saved = try await daemon.session().credential(for: .domain("shop.example.com"))
        #expect(saved?.user == "jo@example.com" && saved?.password == screen.texts["again"])
    }

    @Test("Without a service it continues, and has the reason")
    func goesOn() async throws {
        var screen = SignUpScreen()
        try await screen.signUp(socketPath: "/nowhere/socket") { _ in true }
        #expect(screen.texts.isEmpty && screen.hint == AutofillUnavailable.notInstalled.fix)
    }
}
