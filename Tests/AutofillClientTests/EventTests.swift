// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillCommands
import Testing

@Suite("Events for an app", .serialized, .enabled(if: TestDaemon.isThere, TestDaemon.absence))
struct EventTests {
    private static let site = CredentialServiceIdentifier.domain("shop.example.com")

    @Test("An app sees its own change and another program's, in order, from the state on")
    func changes() async throws {
        let daemon = try await TestDaemon()
        let (app, other) = (try await daemon.session(), try await daemon.session())
        let events = try await app.events()
        #expect(events.vault == "unlocked" && events.settings.isAutoFillOn && events.settings.areStrongPasswordsOn)
        let own = try await app.save(PasswordCredential(user: "ann", password: "secret"), for: Self.site)
        let theirs = try await other.save(PasswordCredential(user: "bob", password: "secret"), for: Self.site)
        try await other.deleteCredential(theirs.id)
        var seen: [AutofillEvent] = []
        for await event in events {
            seen.append(event)
            if seen.count == 3 { break }
        }
        #expect(
            seen.map(\.kind) == [
                .credentialsChanged(service: Self.site, credential: own.id, change: "saved"),
                .credentialsChanged(service: Self.site, credential: theirs.id, change: "saved"),
                .credentialsChanged(service: Self.site, credential: theirs.id, change: "deleted"),
            ])
        #expect(seen.map(\.isOwn) == [true, false, false])
    }

    @Test("The sequence ends with the service, and an earlier one with the next call")
    func ends() async throws {
        let daemon = try await TestDaemon()
        let app = try await daemon.session()
        let first = try await app.events()
        let second = try await app.events()
        for await _ in first {}
        daemon.process.stop()
        for await _ in second {}
        await #expect(throws: AutofillError.self) { try await app.events() }
    }
}
