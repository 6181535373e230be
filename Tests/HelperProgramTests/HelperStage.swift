// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import Foundation
import Support
import TestGround

/// A daemon, the helpers under their names in a PATH of their own, and an empty home.
struct HelperStage {
    let daemon: DaemonProcess
    let directory: TemporaryDirectory

    /// - Parameters:
    ///   - consent: the user's answers.
    ///   - isLocked: whether the vault is.
    init(consent: String = "allow", isLocked: Bool = false) throws {
        directory = try TemporaryDirectory()
        let apps = directory.path + "/apps"
        for folder in [apps, directory.path + "/bin", directory.path + "/home"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for tool in HelperTool.allCases {
            let registration = "\(tool.bundleID).json"
            try FileManager.default.copyItem(
                atPath: TestFiles.root + "systemd/helpers/" + registration, toPath: "\(apps)/\(registration)")
            try FileManager.default.createSymbolicLink(
                atPath: "\(directory.path)/bin/\(tool.program)",
                withDestinationPath: try DaemonProcess.program("autofill-credential"))
        }
        let key = ["--vault-key", try TestFiles.keyFile()]
        daemon = try DaemonProcess(registrations: apps, arguments: ["--consent", consent] + key)
        if isLocked {
            let user = try SocketConnection(to: daemon.socket)
            try user.hello("org.autofilld.autofillctl")
            _ = try user.call("admin.vault.lock")
        }
    }

    /// What programs that use the helpers find in their environment.
    var variables: [String: String] {
        let home = directory.path + "/home"
        return [
            "AUTOFILLD_SOCKET": daemon.socket, "HOME": home, "XDG_CONFIG_HOME": home + "/.config",
            "PATH": "\(directory.path)/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "LC_ALL": "C",
        ]
    }

    /// Runs one of the helpers.
    func run(_ tool: HelperTool, _ arguments: [String], input: String = "") throws -> ForeignProgram {
        try ForeignProgram("\(directory.path)/bin/\(tool.program)", arguments, variables, input: input)
    }
}
