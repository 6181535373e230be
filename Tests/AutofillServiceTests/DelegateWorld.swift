// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CAutofillLinux
import Foundation
import PeerIdentity
import Support
import Synchronization
import Testing

/// What the file system and the kernel report: a delegate, an app that is installed, and the process that is handed over.
final class DelegateWorld: Sendable {
    /// A folder that is root's alone.
    let registrations: String
    private let facts: Mutex<Facts>
    private let delegate: String

    private struct Facts {
        var handedOver: PeerEvidence?
        var state: PeerRefusal?
        var isNamed = true
        var ownNamespaces: String?
    }

    /// - Parameter entitlements: of the delegate's own registration, besides those of every app.
    init(delegate: String, entitlements: [String: Bool] = [:]) throws {
        self.delegate = delegate
        registrations = "/var/lib/autofill-test-\(UUID().uuidString)"
        facts = Mutex(Facts(handedOver: Self.handedOver(.systemProgram)))
        try FileManager.default.createDirectory(
            atPath: registrations, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        for (name, executables) in [("Front", [delegate]), ("Bank", ["/usr/bin/bank"]), ("Shop", [])] {
            let own: [String: Any] = name == "Front" ? entitlements : [:]
            let registration: [String: Any] = [
                "bundleID": "org.example.\(name)", "name": name, "executables": executables,
                "entitlements": [
                    "com.apple.developer.associated-domains": ["webcredentials:\(name.lowercased()).example.com"],
                    "com.apple.developer.authentication-services.autofill-credential-provider": true,
                ].merging(own) { $1 },
            ]
            try #require(
                FileManager.default.createFile(
                    atPath: "\(registrations)/org.example.\(name).json",
                    contents: try JSONSerialization.data(withJSONObject: registration),
                    attributes: [.posixPermissions: 0o644]))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: registrations) }

    /// A program of root's at a path: each has a file of its own.
    func program(_ path: String) -> PeerEvidence {
        var evidence = PeerEvidence.systemProgram
        evidence.process = 4300
        evidence.executable = .file(
            ExecutableFile(path: path, identity: Self.identity(path), owner: 0, location: .rootOwned))
        return evidence
    }

    private static func identity(_ path: String) -> ExecutableIdentity {
        ExecutableIdentity(device: 2, inode: path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }, size: 100, modified: 5)
    }

    private static func handedOver(_ evidence: PeerEvidence) -> PeerEvidence {
        var evidence = evidence
        evidence.isHandedOver = true
        return evidence
    }

    // MARK: - The test's side

    /// Which process is handed over; nil where the descriptor is none of a process.
    func become(_ evidence: PeerEvidence?) { facts.withLock { $0.handedOver = evidence.map(Self.handedOver) } }

    func change(_ body: (inout PeerEvidence) -> Void) {
        facts.withLock { facts in
            guard var evidence = facts.handedOver else { return }
            body(&evidence)
            facts.handedOver = evidence
        }
    }

    /// What has become of the process that was handed over.
    var state: PeerRefusal? {
        get { facts.withLock { $0.state } }
        set { facts.withLock { $0.state = newValue } }
    }

    /// Whether the administrator names the delegate.
    var isNamed: Bool {
        get { facts.withLock { $0.isNamed } }
        set { facts.withLock { $0.isNamed = newValue } }
    }

    /// The namespaces of its own that the process has.
    var ownNamespaces: String? {
        get { facts.withLock { $0.ownNamespaces } }
        set { facts.withLock { $0.ownNamespaces = newValue } }
    }

    // MARK: - The service's side

    var files: FileInspections {
        FileInspections(
            registered: { Self.executables($0) }, contentHash: { _, _ in "5a" },
            delegates: { [weak self] in
                guard let self, isNamed else { return [] }
                return [DelegateEvidence(name: "secrets", executables: Self.executables([delegate, "/home/user/app"]))]
            },
            ownNamespaces: { [weak self] _ in self?.ownNamespaces },
            inspect: { [weak self] _ in
                guard let evidence = self?.facts.withLock({ $0.handedOver }) else { return .failure(.notAProcess) }
                return .success(
                    HandedOverPeer(evidence: evidence) { [weak self] () throws(PeerRefusal) in
                        if let refusal = self?.state { throw refusal }
                    })
            })
    }

    private static func executables(_ paths: [String]) -> [RegisteredExecutable] {
        paths.map { RegisteredExecutable(path: $0, identity: Self.identity($0), isRootOwned: true) }
    }
}

extension ServiceConnection {
    /// Sends hello for the process of a pidfd.
    func speak(
        as own: String = "org.example.Front", for app: String = "org.example.Shop", evidence: String? = nil,
        passesDescriptor: Bool = true
    ) throws -> SentCall<Hello> {
        try send(
            Hello(bundleID: own, onBehalfOf: .init(bundleID: app, evidence: evidence)),
            with: passesDescriptor ? af_pidfd_open(getpid()) : nil)
    }
}
