// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import FoundationEssentials
import Glibc
import TestGround
import Testing

/// What an app's developer does with `autofilld --ephemeral`.
@Suite(.serialized, .enabled(if: TestService.isThere, TestService.absence))
struct EphemeralTests {
    @Test("A vault in memory whose key is in a file can be read; the file is created, and used again")
    func vaultKey() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(
            "apps/org.example.Shop.json", Registrations.json("org.example.Shop", domains: ["shop.example.com"]))
        let (socket, key) = (directory.path + "/socket", directory.path + "/key")
        for round in 1...2 {
            let daemon = try await DaemonProcess.start(
                TestService.executable ?? "",
                [
                    "--ephemeral", "--socket", socket, "--registrations", directory.path + "/apps", "--vault-key", key,
                    "--consent", "allow",
                ], environment: [:], notifySocket: directory.path + "/notify\(round)")
            var status = stat()
            #expect(stat(key, &status) == 0 && status.st_size == 32 && status.st_mode & 0o777 == 0o600)
            let save = try await CommandRun.of(
                ["save", "shop.example.com", "jo", "--password-fd", "0", "--socket", socket, "--key-file", key],
                inputs: [0: "secret\n"])
            #expect(save.status == 0, "\(save.errors)")
            let list = try await CommandRun.of(["list", "--socket", socket, "--key-file", key])
            #expect(list.status == 0 && list.output.contains("shop.example.com"), "\(list.errors)")
            withExtendedLifetime(daemon) {}
        }
    }

    @Test("A credential helper's string is granted by grant allow url:, listed, denied and revoked")
    func grantedURL() async throws {
        let directory = try TemporaryDirectory()
        let helper = Registrations.json("org.example.Helper", domains: []).replacing(
            "\"com.apple.developer.associated-domains\": []", with: "\"org.autofilld.credential-helper\": true")
        try directory.write("apps/org.example.Helper.json", helper)
        let (socket, key) = (directory.path + "/socket", directory.path + "/key")
        let daemon = try await DaemonProcess.start(
            TestService.executable ?? "",
            ["--ephemeral", "--socket", socket, "--registrations", directory.path + "/apps", "--vault-key", key],
            environment: [:], notifySocket: directory.path + "/notify")
        func grant(_ arguments: String...) async throws -> CommandRun {
            try await CommandRun.of(["grant"] + arguments + ["--socket", socket, "--key-file", key])
        }
        let allowed = try await grant("allow", "org.example.Helper", "url:index.docker.io", "--json")
        #expect(allowed.status == 0, "\(allowed.errors)")
        #expect(allowed.output.contains(#""service":{"type":"url","value":"index.docker.io"}"#))
        let id = try #require(allowed.output.split(separator: "\"").first { $0.hasPrefix("grt_") }).description
        let listed = try await grant("list").output
        #expect(listed.contains("index.docker.io") && listed.contains("allow") && listed.contains(id))
        #expect(try await grant("deny", "org.example.Helper", "url:index.docker.io").status == 0)
        let denied = try await grant("list").output
        #expect(denied.contains("deny") && !denied.contains("allow"))
        // A string with a scheme needs no prefix.
        let typed = try await grant("allow", "org.example.Helper", "tool://a b", "--json")
        #expect(typed.output.contains(#""service":{"type":"url","value":"tool://a b"}"#), "\(typed.errors)")
        withExtendedLifetime(daemon) {}
    }
}
