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
        #expect(events.vault == .unlocked && events.settings.isAutoFillOn && events.settings.areStrongPasswordsOn)
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
                .credentialsChanged(service: Self.site, credential: own.id, change: .saved),
                .credentialsChanged(service: Self.site, credential: theirs.id, change: .saved),
                .credentialsChanged(service: Self.site, credential: theirs.id, change: .deleted),
            ])
        #expect(seen.map(\.isOwn) == [true, false, false])
    }

    @Test("Each sequence of a session returns all events after its own state")
    func several() async throws {
        let daemon = try await TestDaemon()
        let app = try await daemon.session()
        let first = try await app.events()
        let ann = try await app.save(PasswordCredential(user: "ann", password: "secret"), for: Self.site)
        let second = try await app.events()
        let bob = try await app.save(PasswordCredential(user: "bob", password: "secret"), for: Self.site)
        #expect(await changed(in: first, 1) == [ann.id])
        let cid = try await app.save(PasswordCredential(user: "cid", password: "secret"), for: Self.site)
        #expect(await changed(in: second, 2) == [bob.id, cid.id])
        #expect(await changed(in: first, 2) == [bob.id, cid.id])
    }

    @Test("A sequence ends with the task that reads it")
    func ends() async throws {
        let daemon = try await TestDaemon()
        let app = try await daemon.session()
        let events = try await app.events()
        daemon.process.stop()
        let reading = Task { for await _ in events {} }
        reading.cancel()
        await reading.value
        await #expect(throws: AutofillError.self) { try await app.events() }
    }

    /// The credentials of the next events, this number of them.
    private func changed(in events: AutofillEvents, _ count: Int) async -> [String] {
        var changed: [String] = []
        for await event in events {
            if case .credentialsChanged(_, let credential, _) = event.kind { changed.append(credential) }
            if changed.count == count { break }
        }
        return changed
    }
}
