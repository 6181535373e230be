// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import FoundationEssentials
import Glibc
import TestGround
import Testing

/// Keyrings as the real gnome-keyring makes them, in a folder of a test's own.
final class KeyringFixture {
    static let password = "login"
    static let isAvailable: Bool = {
        guard access("/usr/bin/dbus-daemon", X_OK) == 0, access("/usr/bin/gnome-keyring-daemon", X_OK) == 0 else {
            return false
        }
        return (try? run("/usr/bin/python3", ["-c", "import jeepney"])) == 0
    }()
    static let need: Comment = "gnome-keyring, dbus-daemon or python3-secretstorage is not installed"

    let directory: TemporaryDirectory
    var path: String { directory.path + "/keyrings" }
    /// Where a run of autofillctl may make its own folders.
    var runtime: String { directory.path + "/run" }

    private static var scripts: String {
        let tests = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        return tests + "/SecretSuitesTests"
    }

    /// - Parameter lines: as seed.py reads them.
    init(_ lines: [[String: String]], others: String = "") throws {
        directory = try TemporaryDirectory()
        try directory.write("run/.keep", "")
        var text = others
        for line in lines {
            let attributes = line.filter { !["label", "secret"].contains($0.key) }
            let fields = ["item", "login", line["label"] ?? "", line["label"] ?? ""]
            text += "[\(try fields.map(Self.json).joined(separator: ","))"
            text += ",\(try Self.json(attributes)),\(try Self.json(line["secret"] ?? ""))]\n"
        }
        try directory.write("lines", text)
        let status = try Self.run(
            "/usr/bin/python3", ["-B", Self.scripts + "/make_keyrings.py", path], input: directory.path + "/lines")
        try #require(status == 0)
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private static func run(_ program: String, _ arguments: [String], input: String = "/dev/null") throws -> Int32? {
        ChildProcess.wait(
            for: try ChildProcess.start(
                program, arguments, environment: ["PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"],
                files: [
                    (STDIN_FILENO, .path(input, flags: O_RDONLY)), (STDOUT_FILENO, .path("/dev/null", flags: O_WRONLY)),
                    (STDERR_FILENO, .path("/dev/null", flags: O_WRONLY)),
                ]))
    }

    /// What the keyrings are, and when they were last changed.
    func state() throws -> [String: String] {
        var state: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            var facts = stat()
            try #require(stat("\(path)/\(name)", &facts) == 0)
            let bytes = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
            state[name] =
                "\(facts.st_ino) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec) \(bytes.base64EncodedString())"
        }
        return state
    }

    /// What is left of folders that runs have made.
    func leftFolders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: runtime).filter { $0 != ".keep" }
    }

    var environment: [String: String] { ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": runtime] }

    func arguments(_ service: TestService) -> [String] {
        ["import", "gnome-keyring", "--keyrings", path, "--socket", service.socket]
    }

    /// Runs the command with the vault's key, and --yes.
    func runImport(
        _ service: TestService, password: String = password, _ more: String...
    ) async throws -> CommandRun {
        try await CommandRun.of(
            arguments(service) + ["--yes", "--key-file", service.key, "--keyring-password-fd", "3"] + more,
            inputs: [3: password], environment: environment)
    }
}

/// What the vault has of programs that use Secret Service.
struct StoredItem: Decodable, Hashable {
    let item: String
    let label: String?
    let attributes: [String: String]?
    let contentType: String?
    let collection: String?
    let created: String?
    let modified: String?

    struct Page: Decodable { let items: [StoredItem] }

    static func all(_ service: TestService) async throws -> [StoredItem] {
        let run = try await service.proven("keychain", "search", "org.freedesktop.secrets", "--json")
        try #require(run.status == 0, "\(run.errors)")
        return try JSONDecoder().decode(Page.self, from: Data(run.output.utf8)).items
    }

    func secret(_ service: TestService) async throws -> String {
        let run = try await service.proven("keychain", "get", item)
        try #require(run.status == 0, "\(run.errors)")
        return run.output
    }
}
