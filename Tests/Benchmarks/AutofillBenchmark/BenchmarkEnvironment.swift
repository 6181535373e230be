// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory

/// What the benchmarks have in common: the folder, the app's registration, the key, vaults of any size, the lines that
/// are sent.
struct BenchmarkEnvironment {
    let folder: String
    let isQuick: Bool
    static let key = [UInt8](repeating: 7, count: 32)
    /// What systemd/autofilld.service sets; without it the daemon starts a second time to have it.
    private static let ofTheUnit = ["SWIFT_BACKTRACE": "enable=no"]
    static let app = "org.example.Bench"
    static let service = "bench.example.com"
    /// Sites below the app's domain that are saved to: no quota of one is to end the run.
    static let savedSites = (0..<5).map { "saved-\($0)" }

    init(folder: String, isQuick: Bool) throws {
        self.folder = folder
        self.isQuick = isQuick
        for name in ["apps", "keys"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try register(Self.app, Self.service)
        let key = "\(folder)/keys/autofilld.vault-key"
        try Data(Self.key).write(to: URL(filePath: key))
        guard chmod(key, 0o600) == 0 else { throw BenchmarkFault("\(key): \(String(cString: strerror(errno)))") }
    }

    /// An app with a domain and all that is below it.
    func register(_ app: String, _ domain: String) throws {
        let registration = """
            {"bundleID":"\(app)","name":"Benchmark","executables":[],"entitlements":{
            "com.apple.developer.associated-domains":["webcredentials:\(domain)","webcredentials:*.\(domain)"],
            "com.apple.developer.authentication-services.autofill-credential-provider":true}}
            """
        try registration.write(toFile: "\(folder)/apps/\(app).json", atomically: true, encoding: .utf8)
    }

    /// The bare echo.
    func bare() throws -> Server {
        let socket = "\(folder)/e\(UInt32.random(in: 0 ... .max))"
        return try Server(
            "BareEcho", [socket], socket: socket, log: "\(folder)/log", greeting: Lines.bare(request: 16, answer: 16))
    }

    /// The daemon on a new vault, opened by its key file, or on the one that `size` made before.
    func daemon(on size: Int = 100) throws -> Server {
        let vault = "\(folder)/vault-\(size)"
        guard !FileManager.default.fileExists(atPath: vault) else { return try start(on: vault) }
        try makeVault(vault, size: size)
        let daemon = try start(on: vault)
        let app = try client(of: daemon)
        for prefix in ["", "new."] + Self.savedSites.map({ $0 + "." }) {
            try app.exchange(Lines.approve(prefix + Self.service, key: Self.key))
        }
        return daemon
    }

    /// - Parameter more: options, of which the last one counts that is given twice.
    func start(
        on vault: String, _ more: [String] = [], environment: [String: String] = [:]
    ) throws -> Server {
        let socket = "\(folder)/d\(UInt32.random(in: 0 ... .max))"
        return try Server(
            "autofilld",
            [
                "--socket", socket, "--data-directory", vault, "--registrations", "\(folder)/apps", "--settings",
                "\(folder)/settings.json",
            ] + more,
            environment: Self.ofTheUnit.merging(["CREDENTIALS_DIRECTORY": "\(folder)/keys"]) { $1 }
                .merging(environment) { $1 },
            socket: socket, log: "\(folder)/log", greeting: Lines.hello)
    }

    /// A connection that has sent hello.
    func client(of daemon: Server) throws -> Connection {
        let connection = try Connection(to: daemon)
        try connection.exchange(Lines.hello)
        return connection
    }

    func makeVault(_ path: String, size: Int) throws {
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        let vault = try Vault(at: .directory(path), program: "benchmark")
        var entropy = SystemEntropy()
        let key = SecretBytes(copying: Self.key, count: Self.key.count)
        try vault.create([.derive(from: .key(key), label: "", using: &entropy)], at: now)
        let writer = Subject(app: Self.app, assurance: "claimed", executable: "")
        let service = Service(kind: .domain, value: Self.service)
        for start in stride(from: 0, to: size, by: 10_000) {
            try vault.writers.credentials.insert(
                (start..<min(start + 10_000, size)).map { number in
                    Credential(
                        id: .random(.credential, using: &entropy), services: [.init(service)], user: Lines.user(number),
                        password: SecretBytes(utf8: "wiZqy2-tibvek-jumpyx"), created: now, changed: now, writer: writer)
                })
        }
        _ = try vault.writers.grants.put(
            Grant(
                id: .random(.grant, using: &entropy), subject: writer, service: service, decision: .allow, created: now,
                origin: "benchmark"))
        vault.close()
    }
}
