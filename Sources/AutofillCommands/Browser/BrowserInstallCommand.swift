// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import BrowserMessages
import FoundationEssentials

struct BrowserInstallCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Lets your browsers start autofill-browser.",
        discussion: """
            Writes one file each for Chromium, Google Chrome and Firefox, whether or not they are installed. The other \
            steps are not done by this command: load the extension (see browser status), and install autofilld for all \
            users, because only then autofill-browser receives passwords.

            Example:
              autofillctl browser install
            """)

    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let environment = ProcessEnvironment.current
        let program = try environment.hostProgram()
        var changes: [(file: String, isNew: Bool)] = []
        for browser in SupportedBrowser.all {
            let file = try browser.manifest(environment)
            let text = HostManifest.text(for: browser.family, program: program)
            let isNew = (try? String(contentsOfFile: file, encoding: .utf8)) != text
            if isNew { try Self.write(text, to: file) }
            changes.append((file, isNew))
        }
        if format.json {
            console.print { writer in
                writer.member("program", program)
                writer.member("files", changes.map(\.file))
                writer.member("changed", changes.contains(where: \.isNew))
            }
        } else if !format.quiet {
            for (file, isNew) in changes { console.print("\(isNew ? "written" : "unchanged"): \(file.printable)") }
            console.print("Next: autofillctl browser status")
        }
    }

    private static func write(_ text: String, to file: String) throws(CommandFailure) {
        do {
            let folder = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
        } catch {
            throw CommandFailure(.system, "\(file) cannot be written: \(error)")
        }
    }
}

struct BrowserUninstallCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Removes the files that install has written.",
        discussion: """
            Example:
              autofillctl browser uninstall
            """)

    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        var removed: [String] = []
        for browser in SupportedBrowser.all {
            let file = try browser.manifest(.current)
            guard FileManager.default.fileExists(atPath: file) else { continue }
            do {
                try FileManager.default.removeItem(atPath: file)
            } catch {
                throw CommandFailure(.system, "\(file) cannot be removed: \(error)")
            }
            removed.append(file)
        }
        if format.json { return console.print { $0.member("removed", removed) } }
        if format.quiet { return }
        for file in removed { console.print("removed: \(file.printable)") }
        if removed.isEmpty { console.print("Nothing was installed.") }
    }
}

extension ProcessEnvironment {
    /// The path of autofill-browser: beside this program, else in PATH.
    func hostProgram() throws(CommandFailure) -> String {
        let name = "autofill-browser"
        if let own = DaemonProgram.own {
            let beside = URL(filePath: own).deletingLastPathComponent().appending(path: name).path(
                percentEncoded: false)
            if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        }
        guard let found = program(name) else {
            throw CommandFailure(
                .noInput, "\(name) is neither beside this program nor in PATH",
                fix: "Install autofilld: systemd/install")
        }
        return found
    }
}
