// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import FoundationEssentials
import Glibc
import TestGround
import Testing

/// A real autofilld with a vault on the disk, registrations and a socket of its own, and autofillctl to speak to it.
final class TestService: Sendable {
    static let executable: String? = {
        let named = getenv("AUTOFILLD_BINARY").map { String(cString: $0) }
        // Beside the tests or nowhere: an installed one is another version.
        return try? DaemonProgram.find(named: named, ProcessEnvironment([:]))
    }()

    static let isThere = executable != nil && CommandRun.executable != nil
    static let absence: Comment = "autofilld was not built beside the tests; AUTOFILLD_BINARY names another"

    let directory: TemporaryDirectory
    let process: DaemonProcess

    var socket: String { directory.path + "/socket" }
    var registrations: String { directory.path + "/apps" }

    convenience init(siteAssociation: String = "advisory") async throws {
        let directory = try TemporaryDirectory()
        try directory.write("apps/.keep", "")
        try directory.write("system.json", #"{"siteAssociation": "\#(siteAssociation)"}"#)
        try await self.init(in: directory)
    }

    private init(in directory: TemporaryDirectory) async throws {
        self.directory = directory
        process = try await DaemonProcess.start(
            Self.executable ?? "",
            [
                "--socket", directory.path + "/socket", "--data-directory", directory.path + "/data", "--registrations",
                directory.path + "/apps", "--settings", directory.path + "/settings.json",
                "--system-settings", directory.path + "/system.json",
            ], environment: [:], notifySocket: directory.path + "/notify", patience: .seconds(120))
    }

    /// Stops it, and starts another over the same files when `changes` has been made to them.
    func restarted(after changes: () throws -> Void) async throws -> TestService {
        try #require(process.stop() == 0)
        try changes()
        return try await TestService(in: directory)
    }

    static let passphrase = "correct horse battery"

    /// With a vault that a key file opens at once, and a passphrase more slowly.
    static func withVault(
        passphrase: String? = nil, siteAssociation: String = "advisory"
    ) async throws -> TestService {
        let service = try await TestService(siteAssociation: siteAssociation)
        let slots = passphrase == nil ? ["--no-passphrase"] : ["--passphrase-fd", "3"]
        let run = try await CommandRun.of(
            ["vault", "create", "--key-file", service.key, "--socket", service.socket] + slots,
            inputs: passphrase.map { [3: $0] } ?? [:])
        try #require(run.status == 0, "\(run.errors)")
        return service
    }

    var key: String { directory.path + "/vault.key" }

    func run(
        _ arguments: String..., inputs: [Int32: String] = [:], environment: [String: String] = [:]
    ) async throws -> CommandRun {
        try await CommandRun.of(arguments + ["--socket", socket], inputs: inputs, environment: environment)
    }

    /// With the key as proof.
    func proven(_ arguments: String..., inputs: [Int32: String] = [:]) async throws -> CommandRun {
        try await CommandRun.of(arguments + ["--socket", socket, "--key-file", key], inputs: inputs)
    }

    func register(_ bundleID: String, domains: [String], isProvider: Bool = true) throws {
        try directory.write(
            "apps/\(bundleID).json", Registrations.json(bundleID, domains: domains, isProvider: isProvider))
    }
}

enum Registrations {
    static func json(_ bundleID: String, domains: [String], isProvider: Bool = true) -> String {
        let list = domains.map { "\"webcredentials:\($0)\"" }.joined(separator: ", ")
        return """
            {"bundleID": "\(bundleID)", "name": "\(bundleID)", "entitlements": {
              "com.apple.developer.associated-domains": [\(list)],
              "com.apple.developer.authentication-services.autofill-credential-provider": \(isProvider)}}
            """
    }
}
