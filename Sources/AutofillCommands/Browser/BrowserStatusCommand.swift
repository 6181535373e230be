// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import BrowserMessages
import ConfigurationFiles
import FoundationEssentials

struct BrowserStatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows what works and what fails in each browser.",
        discussion: """
            Example:
              autofillctl browser status
            """)

    @OptionGroup var registrations: RegistrationOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let catalog = try registrations.catalog()
        let isRegistered = catalog.registrations.contains { $0.bundleID.text == HostManifest.bundleID }
        var states: [BrowserState] = []
        for browser in SupportedBrowser.all {
            states.append(try BrowserState(of: browser, isRegistered: isRegistered, .current))
        }
        if format.json {
            console.print { writer in
                writer.key("browsers")
                writer.array { writer in
                    for state in states { writer.object { state.write(to: &$0) } }
                }
            }
        } else {
            for state in states { for line in state.lines { console.print(line.printable) } }
        }
        if states.contains(where: { $0.isThere && !$0.problems.isEmpty }) { throw CommandFailure(.refused, []) }
    }
}

/// Whether a browser can start the host, and whether the service serves it.
struct BrowserState {
    let browser: SupportedBrowser
    let isThere: Bool
    /// The host manifest that the browser reads: this user's has precedence over the machine's.
    let manifest: String?
    /// The folder from which the browser loads the extension itself; nil if the user loads it.
    let loaded: String?
    /// The folder of the extension for users who load it.
    let folder: String
    private(set) var problems: [(message: String, fix: String)] = []

    init(
        of browser: SupportedBrowser, isRegistered: Bool, _ environment: ProcessEnvironment
    ) throws(CommandFailure) {
        self.browser = browser
        let files = FileManager.default
        isThere = browser.executables.contains { files.isExecutableFile(atPath: $0) }
        let paths = [
            try browser.manifest(environment), "\(browser.systemManifests)/\(HostManifest.fileName)",
        ]
        manifest = paths.first { files.fileExists(atPath: $0) }
        let isRead = browser.extensionReader.map { files.fileExists(atPath: $0) } ?? true
        loaded = browser.systemExtension.flatMap { folder in
            isRead && files.isReadableFile(atPath: "\(folder)/manifest.json") ? folder : nil
        }
        folder = DaemonProgram.extensionFolder
        if let manifest {
            problems += Self.problems(of: manifest, for: browser)
        } else {
            problems.append(("autofill-browser is not set up", "Run: autofillctl browser install"))
        }
        if !isRegistered {
            problems.append(
                (
                    "autofill-browser is not registered, so the service refuses its requests",
                    "Install autofilld for all users: systemd/install as root, or its package"
                ))
        }
    }

    /// The mistakes in a host manifest.
    private static func problems(of file: String, for browser: SupportedBrowser) -> [(message: String, fix: String)] {
        let again = "Run: autofillctl browser install"
        guard let text = try? Data(contentsOf: URL(filePath: file)) else {
            return [("\(file) cannot be read", again)]
        }
        let path = text.withUnsafeBytes { bytes -> String? in
            var scanner = JSONScanner(maximumDepth: 4)
            return try? scanner.scan(bytes) { value throws(JSONError) -> String? in
                try value.member("path")?.string(maximumBytes: 4096)
            }
        }
        guard let path, Data(HostManifest.text(for: browser.family, program: path).utf8) == text else {
            return [("\(file) was not written by this version", again)]
        }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            return [("\(path), which \(file) names, is not a program", again)]
        }
        return []
    }

    var lines: [String] {
        if !isThere { return ["\(browser.name): not installed"] }
        if problems.isEmpty {
            return [
                "\(browser.name): can start autofill-browser (\(manifest ?? ""))",
                "  \(extensionLine)",
            ]
        }
        return problems.flatMap { ["\(browser.name): \($0.message)", "  Fix: \($0.fix)"] }
    }

    private var extensionLine: String {
        if let loaded { return "It loads the extension by itself, at its start, from \(loaded)" }
        return switch browser.family {
        case .chromium: "Load the extension: chrome://extensions, Developer mode, Load unpacked, \(folder)"
        case .firefox:
            "Load the extension, until the next start: about:debugging, This Firefox, Load Temporary Add-on, \(folder)/manifest.json"
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.member("browser", browser.bundleID)
        writer.member("name", browser.name)
        writer.member("installed", isThere)
        writer.member("manifest", orNull: manifest)
        writer.member("extension", orNull: loaded)
        writer.member("works", isThere && problems.isEmpty)
        writer.key("problems")
        writer.array { writer in
            for problem in problems {
                writer.object { writer in
                    writer.member("message", problem.message)
                    writer.member("fix", problem.fix)
                }
            }
        }
    }
}
