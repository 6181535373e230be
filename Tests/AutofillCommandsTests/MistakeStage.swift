// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

@testable import AutofillCommands

/// A user's shell with a service: a vault with one credential, and one app.
struct MistakeStage {
    let service: TestService
    var folder: String { service.directory.path + "/home" }

    init(_ mistake: StagedMistake) async throws {
        let passphrase = TestService.passphrase
        service =
            mistake.hasVault
            ? try await TestService.withVault(passphrase: passphrase, siteAssociation: mistake.siteAssociation)
            : try await TestService(siteAssociation: mistake.siteAssociation)
        let directory = service.directory
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        // What the command reads itself.
        try directory.write(
            "home/share/autofilld/apps/org.example.Shop.json",
            Registrations.json("org.example.Shop", domains: ["shop.example.com"]))
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/autofillctl", withDestinationPath: CommandRun.executable ?? "")
        try directory.write(
            "home/my registration.json",
            Registrations.json("org.example.Mail", domains: ["mail.example.com"])
                .replacing(#""bundleID""#, with: #""bundelID""#))
        guard mistake.hasVault else { return }
        for copy in ["vault.key", "my vault.key"] {
            try FileManager.default.copyItem(atPath: service.key, toPath: folder + "/" + copy)
        }
        chmod(folder + "/my vault.key", 0o644)
        for command in ["generate shop.example.com jo"] + mistake.setUp {
            let words = command.split(separator: " ").map(String.init)
            let proof = words[1] == "lock" ? [] : ["--key-file", service.key]
            let run = try await CommandRun.of(words + ["--socket", service.socket] + proof)
            try #require(run.status == 0, "\(command): \(run.errors)")
        }
    }

    /// Runs a command in a shell, and answers what it asks for.
    func run(_ command: String, atTerminal: Bool) async throws -> CommandRun {
        let passphrase = TestService.passphrase + "\n"
        let code = "otpauth://totp/jo?secret=JBSWY3DPEHPK3PXP\n"
        let script = "cd '\(folder)' && { \(command)\n}" + (atTerminal ? " 2>&1" : "")
        let environment = [
            "PATH": folder + ":/usr/bin:/bin", "AUTOFILLD_SOCKET": service.socket, "XDG_DATA_HOME": folder + "/share",
            "XDG_CONFIG_HOME": folder + "/config",
        ]
        guard atTerminal else {
            return try await CommandRun.of(program: "/bin/sh", ["-c", script], environment: environment)
        }
        return try await CommandRun.atTerminal(
            [],
            dialogue: [
                ("Passphrase of the vault: ", passphrase), ("New passphrase", passphrase), ("Again: ", passphrase),
                ("[y/N]", "y\n"), ("otpauth URI: ", code),
            ], inAnyOrder: true, printsThere: true, shell: script, environment: environment)
    }
}
