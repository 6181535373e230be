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
    /// The program: `AUTOFILLD_BINARY`, else the one that was built beside the tests.
    static let executable: String? = {
        let named = getenv("AUTOFILLD_BINARY").map { String(cString: $0) }
        // Beside the tests or nowhere: an installed one is another version.
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
    ///   - entitlement: a further one that each of them has.
    ///   - consent: who answers in the person's place: `allow`, `deny`, or nobody.
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

    /// Another one at the same socket, once this one has been stopped.
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
    /// Connects while all other tests keep the machine busy: a hello that came too late is said again.
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
