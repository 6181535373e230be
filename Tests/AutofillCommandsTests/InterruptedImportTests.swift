// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import FoundationEssentials
import Glibc
import TestGround
import Testing

@Suite(
    "An import that ends in the middle", .serialized, .timeLimit(.minutes(4)),
    .enabled(if: TestService.isThere, TestService.absence),
    .enabled(if: KeyringFixture.isAvailable, KeyringFixture.need))
struct InterruptedImportTests {
    private static let items = (1...5).map { ["label": "Item \($0)", "secret": "zebra-\($0)", "number": "\($0)"] }

    /// A run with the vault's passphrase, interrupted while it saves items.
    private func begin(_ service: TestService, _ keyrings: KeyringFixture) async throws -> Int32 {
        try keyrings.directory.write("passphrase", TestService.passphrase)
        try keyrings.directory.write("password", KeyringFixture.password)
        let child = try ChildProcess.start(
            try #require(CommandRun.executable),
            keyrings.arguments(service) + ["--yes", "--passphrase-fd", "4", "--keyring-password-fd", "3"],
            environment: keyrings.environment.merging(["HOME": keyrings.directory.path]) { $1 },
            files: [
                (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)),
                (STDOUT_FILENO, .path(keyrings.directory.path + "/output", flags: O_WRONLY | O_CREAT | O_TRUNC)),
                (STDERR_FILENO, .path(keyrings.directory.path + "/errors", flags: O_WRONLY | O_CREAT | O_TRUNC)),
                (3, .path(keyrings.directory.path + "/password", flags: O_RDONLY)),
                (4, .path(keyrings.directory.path + "/passphrase", flags: O_RDONLY)),
            ])
        while try await StoredItem.all(service).isEmpty {}
        return child
    }

    /// Every argument and environment variable of every process that contains one of these texts.
    private func leaks(_ texts: [String]) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { $0.allSatisfy(\.isNumber) }
            .flatMap { process in
                ["cmdline", "environ"].compactMap { name -> String? in
                    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/\(name)") else {
                        return nil
                    }
                    let text = String(decoding: bytes, as: UTF8.self)
                    return texts.contains { text.contains($0) } ? "\(process)/\(name): \(text)" : nil
                }
            }
    }

    @Test("Killed, it leaves no process and no copy, and another run saves the rest and nothing twice")
    func killed() async throws {
        let service = try await TestService.withVault(passphrase: TestService.passphrase)
        let keyrings = try KeyringFixture(Self.items)
        let child = try await begin(service, keyrings)
        #expect(try leaks(["zebra-", TestService.passphrase]) == [])
        kill(child, SIGKILL)
        ChildProcess.wait(for: child)
        while try !keyrings.leftFolders().isEmpty { usleep(10_000) }
        // The last ones end when the folder has gone.
        while try !leaks([keyrings.runtime + "/autofill-import"]).isEmpty { usleep(10_000) }
        let run = try await keyrings.runImport(service)
        #expect(run.status == 0, "\(run)")
        let stored = try await StoredItem.all(service)
        #expect(Set(stored.map(\.label)) == Set(Self.items.map { $0["label"] }) && stored.count == 5)
        // Items that are already there with the same secret.
        #expect(try await keyrings.runImport(service, "--json").output.contains(#""saved":0,"known":5"#))
    }

    @Test("When the daemon ends or the vault is locked, the progress is reported, and the next run continues")
    func locked() async throws {
        let service = try await TestService.withVault(passphrase: TestService.passphrase)
        let keyrings = try KeyringFixture(Self.items)
        let child = try await begin(service, keyrings)
        #expect(try await service.run("vault", "lock").status == 0)
        let status = ChildProcess.wait(for: child)
        let errors = try String(contentsOfFile: keyrings.directory.path + "/errors", encoding: .utf8)
        if status != 0 {
            #expect(errors.contains("of 5 were saved before") && errors.contains("it continues"), "\(errors)")
        }
        #expect(try await service.proven("vault", "unlock").status == 0)
        #expect(try await keyrings.runImport(service).status == 0)
        #expect(try await StoredItem.all(service).count == Self.items.count)
    }
}
