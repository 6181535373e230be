// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillCommands
import DaemonSocket
import Testing

@Suite("Apps and a locked vault", .serialized, .enabled(if: TestDaemon.isThere, TestDaemon.absence))
struct UnlockTests {
    @Test("Unlocking an unlocked vault changes nothing; without a prompt a locked vault is refused")
    func nobody() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        #expect(try await session.unlockVault() == false)
        #expect(try await session.lockVault())
        for interaction in [UserInteraction.allowed, .forbidden] {
            await #expect {
                try await session.unlockVault(interaction: interaction)
            } throws: { ($0 as? AutofillError)?.isRefused(for: .vaultLocked) == true }
        }
        #expect(try await session.status().vault == .locked)
    }

    @Test("An app sends no passphrase to unlock the vault, and learns that it was locked")
    func unlocked() async throws {
        let service = try ScriptedService { lines in
            lines.count == 1
                ? [ScriptedService.greeting] : [#"{"jsonrpc":"2.0","id":2,"result":{"changed":true,"findingCount":0}}"#]
        }
        let session = try await AutofillSession.connect(
            bundleID: "org.example.Shop", to: .ofThisProcess(path: service.socket), patience: .seconds(100))
        #expect(try await session.unlockVault(interaction: .forbidden))
        let request = try #require(service.lines.last)
        #expect(request.contains(#""method":"vault.unlock""#) && request.contains(#""interaction":"forbid""#))
        #expect(!request.contains("passphrase") && !request.contains("secret"))
    }
}
