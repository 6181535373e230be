// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import Testing

/// A real browser with the extension, driven from Python; one of each kind for all tests, ended with the process.
final class WebBrowser: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let chromium = WebBrowser("chromium", "/usr/lib/chromium/chromium", also: ["/usr/bin/chromedriver"])
    static let firefox = WebBrowser("firefox", "/usr/lib/firefox-esr/firefox-esr")
    static let folder = TestFiles.root + "Tests/WebExtensionTests/"
    static let hasForms = FileManager.default.fileExists(
        atPath: ProcessInfo.processInfo.environment["AUTOFILL_FORMS"] ?? "/work/shared/fixtures/forms/forms.jsonl")
    static let extensionFolder = TestFiles.root + "Sources/WebExtension"

    private let name: String
    private let needed: [String]
    // Safe to share: its tests run one after the other.
    private var process: Process?
    private var input = Pipe()
    private var output = Pipe()
    private var unread = Data()

    private let isInstalled: Bool

    /// - Parameter isInstalled: with host, registrations and delegate where the package puts them, in an /etc that this browser and
    ///   its daemon alone see.
    init(_ name: String, _ program: String, also: [String] = [], isInstalled: Bool = false) {
        self.name = name
        self.isInstalled = isInstalled
        needed = [program] + also
    }

    deinit { end() }

    /// Whether files can be laid over those in /etc, for one process.
    static let canBeInstalled =
        geteuid() == 0
        && (try? ForeignProgram(
            "unshare", ["--mount", "mount", "-t", "overlay", "overlay", "-o", "lowerdir=/usr:/etc", "/etc"]
        ).status) == 0

    /// Whether the browser is on this machine, and Python can have what drives it.
    var isThere: Bool { needed.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } && Self.python != nil }
    var need: Comment {
        "needs \(needed.joined(separator: ", ")), openssl, and websockets from PyPI: apt-get install chromium chromium-driver firefox-esr"
    }

    /// A Python with `websockets`, in an environment of its own.
    static let python: String? = {
        if let given = ProcessInfo.processInfo.environment["AUTOFILL_WEB_PYTHON"] { return given }
        let place = TestFiles.root + ".build/web-python"
        let python = place + "/bin/python"
        func has() -> Bool { (try? ForeignProgram(python, ["-c", "import websockets.sync.client"]).status) == 0 }
        guard ForeignProgram.isInstalled("python3"), ForeignProgram.isInstalled("openssl") else { return nil }
        if !FileManager.default.isExecutableFile(atPath: python) || !has() {
            _ = try? ForeignProgram("python3", ["-m", "venv", place])
            let wanted = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20", "websockets>=13"]
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

    private func runOnce(_ scenario: String) throws -> [String: Any] {
        if process?.isRunning != true { try start() }
        try input.fileHandleForWriting.write(contentsOf: Data((scenario + "\n").utf8))
        let answer = try line()
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
        let wrapper = isInstalled ? ["unshare", "--mount"] : []
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            wrapper + [
                python, Self.folder + "Driver/drive.py", name, programs, Self.extensionFolder, Self.folder + "Pages",
            ]
        var variables = ["PYTHONDONTWRITEBYTECODE": "1"]
        if isInstalled { variables["AUTOFILL_INSTALLED"] = "1" }
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.process = process
        _ = try line()
    }

    /// The next object that the driver says.
    private func line() throws -> [String: Any] {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = unread[..<end]
                unread = Data(unread[(end + 1)...])
                return try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Failure(description: "the driver of \(name) has ended") }
            unread += more
        }
    }
}
