// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl vault and status", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct VaultCommandTests {
    @Test("Without a service status prints the reason and the fix, with exit status 69")
    func unavailable() async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["status", "--socket", directory.path + "/none"]
        let run = try await CommandRun.of(arguments)
        #expect(run.status == 69 && run.output.isEmpty)
        #expect(run.errors.contains("(notInstalled)") && run.errors.contains("Fix: "))
        let json = try await CommandRun.of(arguments + ["--json"])
        #expect(json.status == 69)
        #expect(json.errors.hasPrefix(#"{"error":{"status":69,"problems":[{"code":"notInstalled","message":""#))
    }

    @Test("A vault is made, locked, and unlocked with the passphrase or the key only")
    func lifecycle() async throws {
        let service = try await TestService()
        #expect(try await service.run("status").output.contains("missing"))
        let created = try await service.run(
            "vault", "create", "--passphrase-fd", "3", "--key-file", service.key,
            inputs: [3: TestService.passphrase + "\n"])
        #expect(created.status == 0 && created.output.contains("passphrase: ") && created.output.contains("key file: "))
        var status = stat()
        #expect(stat(service.key, &status) == 0 && status.st_mode & 0o7777 == 0o600 && status.st_size == 32)
        #expect(try await service.run("status", "--json").output.contains(#""vault":"unlocked""#))
        #expect(try await service.run("vault", "lock").status == 0)
        let wrong = try await service.run("vault", "unlock", "--passphrase-fd", "3", inputs: [3: "wrong horse"])
        #expect(wrong.status == 1 && wrong.errors.contains("(proof-wrong)"))
        #expect(try await service.run("status").output.contains("locked"))
        let byKey = try await service.run("vault", "unlock", "--key-file", service.key, "--json")
        #expect(byKey.status == 0 && byKey.output == "{\"changed\":true}\n")
        #expect(try await service.run("vault", "lock", "--json").output == "{\"changed\":true}\n")
        let byPassphrase = try await service.run(
            "vault", "unlock", "--passphrase-fd", "0", inputs: [0: TestService.passphrase])
        #expect(byPassphrase.status == 0 && byPassphrase.errors.isEmpty)
        #expect(byPassphrase.output == "The vault is unlocked.\n")
    }

    @Test("A second vault is refused, and leaves no key file behind")
    func exists() async throws {
        let service = try await TestService.withVault()
        let other = service.directory.path + "/other.key"
        let run = try await service.run("vault", "create", "--no-passphrase", "--key-file", other)
        #expect(run.status == 1 && run.errors.contains("(vault-exists)"))
        #expect(access(other, F_OK) != 0)
    }

    @Test("A short passphrase and a key file that others can read are refused")
    func refused() async throws {
        let service = try await TestService()
        let short = try await service.run("vault", "create", "--passphrase-fd", "3", inputs: [3: "short"])
        #expect(short.status == 1 && short.errors.contains("(passphrase-too-short)"))
        try service.directory.write("open.key", String(repeating: "k", count: 32))
        chmod(service.directory.path + "/open.key", 0o644)
        let open = try await service.run(
            "vault", "create", "--no-passphrase", "--key-file", service.directory.path + "/open.key")
        #expect(open.status == 66 && open.errors.contains("chmod 600"))
    }

    @Test("Without a terminal nothing is asked, and the way round is named")
    func noTerminal() async throws {
        let service = try await TestService.withVault()
        let run = try await service.run("list")
        #expect(run.status == 66 && run.errors.contains("--passphrase-fd N or --key-file PATH"))
    }

    @Test("A command with proof unlocks a locked vault in passing; --quiet changes nothing but the lines printed")
    func inPassing() async throws {
        let service = try await TestService.withVault(passphrase: TestService.passphrase)
        for proof in [["--key-file", service.key], ["--passphrase-fd", "3"]] {
            #expect(try await service.run("vault", "lock", "--quiet").output.isEmpty)
            let listed = try await CommandRun.of(
                ["list", "--socket", service.socket] + proof, inputs: [3: TestService.passphrase])
            #expect(listed.status == 0 && listed.output == "No credential is saved.\n", "\(listed.errors)")
            #expect(try await service.run("status", "--json").output.contains(#""vault":"unlocked""#))
        }
        _ = try await service.run("vault", "lock")
        let slots = try await service.proven("vault", "slot", "remove", "2", "--yes")
        #expect(slots.status == 0, "\(slots.errors)")
        _ = try await service.run("vault", "lock")
        let wrong = try await service.run("list", "--passphrase-fd", "3", inputs: [3: "wrong horse"])
        #expect(wrong.status == 1 && wrong.errors.contains("(proof-wrong)"))
        #expect(try await service.run("status", "--json").output.contains(#""vault":"locked""#))
    }

    @Test("Without a terminal and a proof, a command reports that the vault is locked")
    func locked() async throws {
        let service = try await TestService.withVault()
        _ = try await service.run("vault", "lock")
        for arguments in [["list"], ["get", "a.example"], ["grant", "list"]] {
            let run = try await CommandRun.of(arguments + ["--socket", service.socket])
            #expect(run.status == 1 && run.errors.contains("(vault-locked)") && run.errors.contains("vault unlock"))
        }
    }
}
