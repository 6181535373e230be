// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CAutofillLinux
import Foundation
import PeerIdentity
import PeerInspection
import Prompting
import SecretMemory
import Settings
import Support
import Synchronization
import Testing

/// What the file system and the kernel report: the bridge of Secret Service, and the programs that ask through it.
final class SecretServiceWorld: Sendable {
    static let bridge = "/usr/libexec/autofill-secrets"
    static let group = "org.freedesktop.secrets"

    /// A process on the bus.
    struct Caller: Sendable {
        var evidence: PeerEvidence
        var script: Script?
        var starter: Starter?
        /// Whether the bridge reports that another program may make its requests too.
        var isShared = false

        /// A program of root's.
        init(_ path: String) {
            evidence = .systemProgram
            evidence.process = Int32(5000 + path.utf8.count)
            evidence.executable = .file(
                ExecutableFile(
                    path: path, identity: SecretServiceWorld.identity(path), owner: 0, location: .rootOwned,
                    interpreter: Interpreter(fileName: String(path.split(separator: "/").last ?? ""))))
        }

        /// One that anybody can change, of this content.
        init(usersOwn path: String, content: UInt64 = 1) {
            self.init(path)
            var identity = SecretServiceWorld.identity(path)
            identity = ExecutableIdentity(device: 3, inode: identity.inode, size: content, modified: 5)
            evidence.executable = .file(
                ExecutableFile(
                    path: path, identity: identity, owner: 1000, location: .userOwned, changed: Int64(content)))
        }

        /// The same program, started again, in a login.
        func again(_ start: UInt64, login: String) -> Caller {
            var caller = self
            (caller.evidence.startTime, caller.evidence.login) = (start, login)
            return caller
        }

        /// A script, or who started it.
        func running(_ path: String, content: String = "5c") -> Caller {
            var caller = self
            caller.script = Script(path: path, hash: content)
            return caller
        }

        func started(by other: Caller) -> Caller {
            var caller = self
            caller.starter = Starter(evidence: other.evidence, script: other.script)
            return caller
        }
    }

    /// A folder that is root's alone.
    let registrations: String
    private let state = Mutex(State())

    private struct State {
        var caller = Caller("/usr/bin/none")
        var families: [FamilyEvidence] = []
    }

    init(_ others: [String: String] = [:], isEntitled: Bool = true) throws {
        registrations = "/var/lib/autofill-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: registrations, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let own = """
            {"bundleID": "autofilld.secrets", "name": "Secret Service", "executables": ["\(Self.bridge)"],
             "entitlements": {"org.autofilld.secret-service": \(isEntitled)}}
            """
        for (name, text) in others.merging(["autofilld.secrets": own], uniquingKeysWith: { $1 }) {
            try #require(
                FileManager.default.createFile(
                    atPath: "\(registrations)/\(name).json", contents: Data(text.utf8),
                    attributes: [.posixPermissions: 0o644]))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: registrations) }

    static func identity(_ path: String) -> ExecutableIdentity {
        ExecutableIdentity(device: 2, inode: path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }, size: 100, modified: 5)
    }

    private static func executables(_ paths: [String]) -> [RegisteredExecutable] {
        paths.map { path in
            let target = path.hasPrefix("/bin/") ? "/usr" + path : path
            let isOwn = target.hasPrefix("/home/")
            return RegisteredExecutable(
                path: path, target: target, identity: identity(target), isRootOwned: !isOwn,
                isBinary: !isScript(target))
        }
    }

    private static func isScript(_ path: String) -> Bool { path.hasSuffix(".sh") || path.hasSuffix(".py") }

    /// Has the administrator name a family.
    func addFamily(_ schema: String, _ paths: String...) {
        state.withLock { $0.families.append(FamilyEvidence(schemas: [schema], executables: Self.executables(paths))) }
    }

    func service(
        consent: Consent = .user, settings: DaemonSettings = DaemonSettings()
    ) throws -> TestService {
        try TestService(consent: consent, settings: settings, registrations: registrations, files: files)
    }

    /// The bridge's connection for a caller.
    func connect(_ daemon: TestService, _ caller: Caller) throws -> ServiceConnection {
        let connection = try open(daemon, caller)
        _ = try connection.send(
            Hello(bundleID: "autofilld.secrets", onBehalfOf: .init(evidence: "D-Bus :1.42", isShared: caller.isShared)),
            with: pidfd
        )
        .answer()
        return connection
    }

    func open(_ daemon: TestService, _ caller: Caller) throws -> ServiceConnection {
        state.withLock { $0.caller = caller }
        return daemon.connect(Caller(Self.bridge).evidence)
    }

    var pidfd: Int32 { af_pidfd_open(getpid()) }

    private var files: FileInspections {
        FileInspections(
            registered: { Self.executables($0) },
            contentHash: { path, version in
                Self.isScript(path) ? "5c" : "5a\(version.changed)"
            },
            delegates: { [DelegateEvidence(name: "secrets", executables: Self.executables([Self.bridge]))] },
            families: { [weak self] path in
                self?.state.withLock { state in
                    state.families.filter { $0.executables.contains { $0.path == path } }
                } ?? []
            },
            nameHash: { NameHash.digits(of: $0) },
            inspect: { [weak self] _ in
                guard let caller = self?.state.withLock({ $0.caller }) else { return .failure(.notAProcess) }
                var evidence = caller.evidence
                evidence.isHandedOver = true
                return .success(
                    HandedOverPeer(
                        evidence: evidence, confirm: {}, script: { caller.script }, starter: { caller.starter }))
            })
    }
}

extension ServiceConnection {
    /// Keeps a secret as a program does through Secret Service.
    @discardableResult
    func keep(
        _ attributes: [String: String], _ data: String = "secret", label: String = "Label", replace: Bool? = nil,
        interaction: Interaction = .allow
    ) throws -> String {
        try answer(to: keeping(attributes, data, label: label, replace: replace, interaction: interaction)).item
    }

    func keeping(
        _ attributes: [String: String], _ data: String = "secret", label: String = "Label", replace: Bool? = nil,
        interaction: Interaction = .allow
    ) -> KeychainSet {
        KeychainSet(
            .attributes(accessGroup: nil),
            details: ItemDetails(attributes: attributes, label: label, collection: "login"),
            data: SecretBytes(utf8: data), replace: replace, interaction: interaction)
    }

    func found(_ attributes: [String: String] = [:]) throws -> [KeychainSearch.FoundItem] {
        try answer(to: KeychainSearch(attributes: attributes, page: PageRequest(limit: 500))).items
    }

    func secret(_ item: String) throws -> String { try answer(to: KeychainGet(.id(item))).data.text }
}
