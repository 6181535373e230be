// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// A real browser with the extension, driven from Python; one of each kind for all tests, ended with the process.
final class WebBrowser: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let chromium = WebBrowser("chromium", ["/usr/lib/chromium/chromium", "/usr/bin/chromedriver"])
    static let firefox = WebBrowser("firefox", ["/usr/lib/firefox-esr/firefox-esr"])
    static let folder = TestFiles.root + "Tests/WebExtensionTests/"
    static let hasForms = FileManager.default.fileExists(
        atPath: ProcessInfo.processInfo.environment["AUTOFILL_FORMS"]
            ?? TestFiles.root + "../shared/fixtures/forms/forms.jsonl")
    static let extensionFolder = TestFiles.root + "Sources/WebExtension"

    private let name: String
    private let needed: [String]
    // Safe: its tests run one after the other.
    private var process: Process?
    private var input = Pipe()
    private var output = Pipe()
    private var unread = Data()

    private let kind: Kind

    enum Kind {
        /// The extension is loaded from the sources.
        case plain
        /// With the package's files in their installed paths, in a /usr and an /etc for this browser and its daemon only; the browser
        /// gets no arguments about the extension.
        case installed
        /// Documents record the messages of the extension to their content scripts.
        case tapped
        /// The extension waits 3 s for a site's answer instead of 10 s.
        case hasty
    }

    private init(_ name: String, _ needed: [String], as kind: Kind = .plain) {
        (self.name, self.needed, self.kind) = (name, needed, kind)
    }

    /// Another browser of the same kind.
    func another(as kind: Kind = .plain) -> WebBrowser { WebBrowser(name, needed, as: kind) }

    /// What runs.
    var program: String { needed[0] }

    deinit { end() }

    /// The files that systemd/install stages for a package, with the programs beside the tests.
    private static let package: Result<String, any Error> = Result {
        let folder = try TestFiles.folder()
        let programs = URL(filePath: try DaemonProcess.program("autofilld")).deletingLastPathComponent().path
        let stage = ["--stage-only", "--destdir", folder, "--prefix", "/usr", "--programs", programs]
        let run = try ForeignProgram(TestFiles.root + "systemd/install", stage)
        guard run.status == 0 else { throw Failure(description: run.output) }
        atexit { if let folder = try? WebBrowser.package.get() { try? FileManager.default.removeItem(atPath: folder) } }
        return folder
    }

    /// Whether files can be mounted over those in /etc, for one process.
    static let canBeInstalled =
        geteuid() == 0 && (try? ForeignProgram("env", TestFiles.isolated(etc: "/usr") + ["true"]).status) == 0

    /// Whether the browser is installed, and Python's packages to drive it can be.
    var isThere: Bool { needed.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } && Self.python != nil }
    var need: Comment {
        "needs \(needed.joined(separator: ", ")), openssl, and websockets from PyPI: apt-get install chromium chromium-driver firefox-esr"
    }

    /// A Python with `websockets`, in an environment of its own.
    static let python: String? = {
        if let given = ProcessInfo.processInfo.environment["AUTOFILL_WEB_PYTHON"] { return given }
        let folder = TestFiles.root + ".build/web-python"
        let python = folder + "/bin/python"
        func has() -> Bool { (try? ForeignProgram(python, ["-c", "import websockets.sync.client"]).status) == 0 }
        guard ForeignProgram.isInstalled("python3"), ForeignProgram.isInstalled("openssl") else { return nil }
        if !FileManager.default.isExecutableFile(atPath: python) || !has() {
            _ = try? ForeignProgram("python3", ["-m", "venv", folder])
            let wanted = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20", "websockets>=15"]
            _ = try? ForeignProgram(python, wanted)
        }
        return has() ? python : nil
    }()

    /// Runs a scenario of Driver/scenarios.py, in a browser that is started for the first. One that fails is run once more in a
    /// new browser: on a busy machine a browser may take longer to show something than the driver waits.
    @discardableResult
    func run(_ scenario: String) throws -> [String: Any] {
        do {
            return try runOnce(scenario)
        } catch {
            print("\(name), \(scenario): once more, since the first time: \(error)")
            end()
            return try runOnce(scenario)
        }
    }

    private func end() {
        try? input.fileHandleForWriting.close()
        process?.waitUntilExit()
        process = nil
    }

    /// Runs it once, in this browser as it is.
    @discardableResult
    func runOnce(_ scenario: String) throws -> [String: Any] {
        if process?.isRunning != true { try start() }
        try input.fileHandleForWriting.write(contentsOf: Data((scenario + "\n").utf8))
        var answer = try line()
        while answer["passed"] == nil {
            print("\(name), \(scenario): \(answer)")
            answer = try line()
        }
        guard answer["passed"] as? Bool == true else {
            throw Failure(description: answer["error"] as? String ?? "no answer")
        }
        return answer
    }

    private func start() throws {
        guard let python = Self.python else { throw Failure(description: "no Python with websockets") }
        let programs = URL(filePath: try DaemonProcess.program("autofilld")).deletingLastPathComponent().path
        let process = Process()
        (input, output, unread) = (Pipe(), Pipe(), Data())
        let package = try kind == .installed ? Self.package.get() : nil
        let wrapper = package.map { TestFiles.isolated(etc: $0 + "/etc", usr: $0 + "/usr") } ?? []
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            wrapper + [
                python, Self.folder + "Driver/drive.py", name, programs, Self.extensionFolder, Self.folder + "Pages",
            ]
        var variables = ["PYTHONDONTWRITEBYTECODE": "1"]
        if kind == .installed { variables["AUTOFILL_INSTALLED"] = "1" }
        if kind == .tapped { variables["AUTOFILL_TAPPED"] = "1" }
        if kind == .hasty { variables["AUTOFILL_HASTY"] = "1" }
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.process = process
        let greeting = try line()
        guard greeting["ready"] as? Bool == true else {
            throw Failure(description: greeting["error"] as? String ?? "no greeting")
        }
    }

    /// The exit status of a driver that has closed its output.
    private func ending() -> String {
        guard let ended = process else { return "" }
        end()
        return (ended.terminationReason == .exit ? " with status " : " by signal ") + String(ended.terminationStatus)
    }

    /// The next object that the driver writes.
    private func line() throws -> [String: Any] {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = unread[..<end]
                unread = Data(unread[(end + 1)...])
                return try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Failure(description: "the driver of \(name) has ended\(ending())") }
            unread += more
        }
    }
}
