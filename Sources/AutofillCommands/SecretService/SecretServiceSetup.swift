// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import FoundationEssentials

/// The files that make autofill-secrets the owner of org.freedesktop.secrets for one user, and that disable others.
struct SecretServiceSetup {
    static let program = "autofill-secrets"
    static let unit = "autofill-secrets.service"
    /// The line by which disable recognises the files of enable.
    private static let mark = "# Written by autofillctl secret-service enable; disable removes it."
    private static let keyringUnit = "gnome-keyring-daemon.service"
    private static let autostart = "autostart/gnome-keyring-secrets.desktop"

    struct File: Hashable {
        let path: String
        let text: String
        /// Its effect, as a sentence.
        let effect: String
    }

    private let data: String
    private let configuration: String
    /// The root of the machine's own files; another path in tests.
    private let root: String

    init(_ environment: ProcessEnvironment = .current, root: String = "") throws(CommandFailure) {
        func directory(_ name: String, _ subfolder: String) throws(CommandFailure) -> String {
            if let named = environment[name], named.hasPrefix("/") { return named }
            guard let home = environment["HOME"], !home.isEmpty else {
                throw CommandFailure(.usage, "HOME is not set", fix: "Set it")
            }
            return "\(home)/\(subfolder)"
        }
        data = try directory("XDG_DATA_HOME", ".local/share")
        configuration = try directory("XDG_CONFIG_HOME", ".config")
        self.root = root
    }

    /// The file by which the bus starts the program.
    var activation: String { "\(data)/dbus-1/services/\(SecretServiceNames.bus).service" }
    private var hidden: String { "\(configuration)/\(Self.autostart)" }
    private var dropIn: String { "\(configuration)/systemd/user/\(Self.keyringUnit).d/\(Self.program).conf" }

    var isEnabled: Bool { isOwn(activation) }

    /// Another program that the bus would start for the name, by the machine's files.
    var otherProgram: String? {
        lines("/usr/share/dbus-1/services/\(SecretServiceNames.bus).service").first { $0.hasPrefix("Exec=") }
            .flatMap { $0.dropFirst(5).split(separator: " ").first.map(String.init) }
    }

    /// The files that enable writes.
    ///
    /// - Parameters:
    ///   - program: the absolute path of autofill-secrets.
    ///   - hasUnit: whether systemd has a unit for it.
    func files(program: String, hasUnit: Bool) -> [File] {
        let service = hasUnit ? "SystemdService=\(Self.unit)\n" : ""
        var files = [
            File(
                path: activation,
                text: "\(Self.mark)\n[D-BUS Service]\nName=\(SecretServiceNames.bus)\nExec=\(program)\n\(service)",
                effect: "The bus starts autofill-secrets for callers of \(SecretServiceNames.bus).")
        ]
        if !lines("/etc/xdg/\(Self.autostart)").isEmpty {
            files.append(
                File(
                    path: hidden,
                    text: "\(Self.mark)\n[Desktop Entry]\nType=Application\nName=Secret Storage Service\nHidden=true\n",
                    effect: "gnome-keyring's Secret Service is not started at login; its PKCS#11 and SSH agent are."))
        }
        if let command = keyringCommand {
            files.append(
                File(
                    path: dropIn, text: "\(Self.mark)\n[Service]\nExecStart=\n\(command)\n",
                    effect: "\(Self.keyringUnit) runs without its Secret Service."))
        }
        return files
    }

    /// systemd's command for gnome-keyring without its Secret Service; nil if systemd does not start it, or no other
    /// component is left.
    private var keyringCommand: String? {
        for directory in ["/etc/systemd/user", "/usr/lib/systemd/user"] {
            guard let line = lines("\(directory)/\(Self.keyringUnit)").first(where: { $0.hasPrefix("ExecStart=") })
            else {
                continue
            }
            let arguments = line.split(separator: " ").map { argument -> String in
                let option = "--components="
                guard argument.hasPrefix(option) else { return String(argument) }
                let names = argument.dropFirst(option.count).filter { $0 != "\"" }.split(separator: ",")
                return option + names.filter { $0 != "secrets" }.joined(separator: ",")
            }
            let command = arguments.joined(separator: " ")
            return command == line || arguments.contains("--components=") ? nil : command
        }
        return nil
    }

    /// The command by which another running program releases the name at once; nil if there is none.
    func release(by owner: SessionBus.Owner) -> String? {
        guard owner.name == "gnome-keyring-daemon" else { return nil }
        // enable has removed the Secret Service from it.
        if owner.unit == Self.keyringUnit { return "systemctl --user restart \(Self.keyringUnit)" }
        let components = ["pkcs11", "ssh"].filter { !lines("/etc/xdg/autostart/gnome-keyring-\($0).desktop").isEmpty }
        return
            "gnome-keyring-daemon --replace --components=\(components.isEmpty ? "pkcs11" : components.joined(separator: ","))"
    }

    private func lines(_ path: String) -> [String] {
        ((try? String(contentsOfFile: root + path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    private func isOwn(_ path: String) -> Bool {
        (try? String(contentsOfFile: path, encoding: .utf8))?.hasPrefix(Self.mark) == true
    }

    // MARK: - Enable and disable

    /// The path of a renamed file of the user, for the first time or a later one.
    private func renamedPath(_ path: String, _ time: Int) -> String {
        path + EditedFile.backupSuffix + (time == 1 ? "" : ".\(time)")
    }

    /// How many renamed copies of a file exist.
    private func renamedCount(_ path: String) -> Int {
        var times = 0
        while FileManager.default.fileExists(atPath: renamedPath(path, times + 1)) { times += 1 }
        return times
    }

    /// Writes the missing files. An existing file of the user is renamed, beside earlier ones, and restored by `undo`.
    ///
    /// - Returns: the files that were written.
    func write(_ files: [File]) throws(CommandFailure) -> [File] {
        var written: [File] = []
        for file in files where (try? String(contentsOfFile: file.path, encoding: .utf8)) != file.text {
            do {
                let folder = URL(filePath: file.path).deletingLastPathComponent().path(percentEncoded: false)
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                if FileManager.default.fileExists(atPath: file.path), !isOwn(file.path) {
                    try FileManager.default.moveItem(
                        atPath: file.path, toPath: renamedPath(file.path, renamedCount(file.path) + 1))
                }
                try file.text.write(toFile: file.path, atomically: true, encoding: .utf8)
            } catch {
                throw CommandFailure(.system, "\(file.path) cannot be written: \(error)")
            }
            written.append(file)
        }
        return written
    }

    /// Removes the files that enable wrote, and restores the files that it renamed last.
    ///
    /// - Returns: the files that were removed.
    func undo() throws(CommandFailure) -> [String] {
        var removed: [String] = []
        for path in [activation, hidden, dropIn] where isOwn(path) {
            do {
                try FileManager.default.removeItem(atPath: path)
                let times = renamedCount(path)
                if times > 0 { try FileManager.default.moveItem(atPath: renamedPath(path, times), toPath: path) }
            } catch {
                throw CommandFailure(.system, "\(path) cannot be removed: \(error)")
            }
            removed.append(path)
        }
        return removed
    }
}
