// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillCommands
import DaemonSocket
import FoundationEssentials
import Glibc
import TestGround
import Testing

/// A real autofilld with a vault in memory and registrations of its own.
final class TestDaemon: Sendable {
    /// The program: `AUTOFILLD_BINARY`, else the one that was built with the tests.
    static let executable: String? = {
        let named = getenv("AUTOFILLD_BINARY").map { String(cString: $0) }
        // Not an installed one, which is another version.
        return try? DaemonProgram.find(named: named, ProcessEnvironment([:]))
    }()

    static let isThere = executable != nil
    static let absence: Comment = "autofilld was not built beside the tests; AUTOFILLD_BINARY names another"

    let directory: TemporaryDirectory
    let process: DaemonProcess
    private let arguments: [String]

    var socket: String { directory.path + "/socket" }

    /// - Parameters:
    ///   - apps: bundle IDs, each with its associated domains.
    ///   - entitlement: a further entitlement of each of them.
    ///   - consent: the answer to every prompt: `allow`, `deny`, or none.
    init(
        apps: [String: [String]] = ["org.example.Shop": ["shop.example.com"]], entitlement: String? = nil,
        consent: String? = nil
    ) async throws {
        directory = try TemporaryDirectory()
        for (bundleID, domains) in apps {
            let list = domains.map { "\"webcredentials:\($0)\"" }.joined(separator: ", ")
            try directory.write(
                "apps/\(bundleID).json",
                """
                {"bundleID": "\(bundleID)", "name": "\(bundleID)", "entitlements": {
                  \(entitlement.map { "\"\($0)\": true," } ?? "")
                  "com.apple.developer.associated-domains": [\(list)],
                  "com.apple.developer.authentication-services.autofill-credential-provider": true}}
                """)
        }
        arguments =
            ["--ephemeral", "--socket", directory.path + "/socket", "--registrations", directory.path + "/apps"]
            + (consent.map { ["--consent", $0] } ?? [])
        process = try await DaemonProcess.start(
            Self.executable ?? "", arguments, environment: [:], notifySocket: directory.path + "/notify",
            patience: .seconds(120))
    }

    /// Starts another one at the same socket, after this one was stopped.
    func startAgain() async throws -> DaemonProcess {
        try await DaemonProcess.start(
            Self.executable ?? "", arguments, environment: [:], notifySocket: directory.path + "/notify-again",
            patience: .seconds(120))
    }

    func session(as bundleID: String = "org.example.Shop") async throws -> AutofillSession {
        try await AutofillSession.connect(toTestDaemonAt: socket, bundleID: bundleID)
    }
}

extension AutofillSession {
    /// Connects while other tests keep the machine busy: after a timeout of `hello` it connects again.
    static func connect(toTestDaemonAt socket: String, bundleID: String) async throws -> AutofillSession {
        for _ in 0..<20 {
            do throws(AutofillError) {
                return try await connect(
                    bundleID: bundleID, to: .ofThisProcess(path: socket), patience: .seconds(100))
            } catch {
                guard error == .unavailable(.notResponding) else { throw error }
            }
        }
        throw AutofillError.unavailable(.notResponding)
    }
}
