// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import Foundation
import Support
import TestGround
import Testing

/// A daemon with files of its own in /etc: there the helpers are installed as root installs them.
struct InstalledHelpers {
    static let isAvailable: Bool = {
        let run = try? ForeignProgram("env", TestFiles.isolated(etc: "/usr") + ["true"])
        return geteuid() == 0 && run?.status == 0
    }()
    static let programs = "/etc/autofilld/bin"

    let daemon: DaemonProcess
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        let script = """
            set -eu
            umask 022
            mkdir -p "$1/autofilld/apps" "$1/autofilld/delegates" "$1/autofilld/bin" "$1/home"
            install -m 755 "$2" "$1/autofilld/bin/autofill-credential"
            for tool in git docker cargo; do ln -s autofill-credential "$1/autofilld/bin/$tool-credential-autofill"; done
            for file in "$3"/*.json; do
                sed "s|/usr/local/bin/|\(Self.programs)/|" "$file" >"$1/autofilld/apps/${file##*/}"
            done
            mv "$1/autofilld/apps/delegate.json" "$1/autofilld/delegates/autofill-credential.json"
            """
        let made = try ForeignProgram(
            "sh",
            [
                "-c", script, "sh", directory.path, try DaemonProcess.program("autofill-credential"),
                TestFiles.root + "systemd/helpers",
            ])
        guard made.status == 0 else { throw HelperTrouble(made.output) }
        daemon = try DaemonProcess(
            registrations: "/etc/autofilld/apps",
            arguments: ["--consent", "allow", "--vault-key", try TestFiles.keyFile()],
            wrapper: TestFiles.isolated(etc: directory.path))
    }

    /// Runs a program that sees what the daemon sees.
    func run(_ command: [String], input: String = "") throws -> ForeignProgram {
        let variables = [
            "AUTOFILLD_SOCKET": daemon.socket, "HOME": directory.path + "/home", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0", "PATH": "\(Self.programs):/usr/bin:/bin",
        ]
        return try ForeignProgram(
            "nsenter", ["--mount=/proc/\(daemon.process.processIdentifier)/ns/mnt", "--"] + command, variables,
            input: input)
    }

    /// The programs that were allowed something, as their grants name them.
    func granted() throws -> [String] {
        let user = try SocketConnection(to: daemon.socket)
        try user.hello("org.autofilld.autofillctl")
        let answer = try user.call("admin.grant.list", ["proof": Examples.proof])
        let grants = answer.result?["grants"] as? [[String: Any]] ?? []
        return grants.map { "\($0["bundleID"] ?? "") \($0["executable"] ?? "")" }
    }
}

@Suite(
    "The credential helpers as root installs them", .blocking, .timeLimit(.minutes(10)),
    .enabled(
        if: InstalledHelpers.isAvailable && ForeignProgram.isInstalled("git"),
        "needs root, the right to mount overlays, and git"))
struct HelperDelegateTests {
    @Test("A grant names the program that ran the helper, and serves whatever program runs that one")
    func grants() throws {
        let installed = try InstalledHelpers()
        let description = "protocol=https\nhost=git.example\n"
        let fill = ["git", "-c", "credential.helper=autofill", "credential", "fill"]
        let approve = ["git", "-c", "credential.helper=autofill", "credential", "approve"]
        let stored = try installed.run(approve, input: description + "username=ann\npassword=s3cr3t\n")
        #expect(stored.status == 0 && stored.output == "", "\(stored.output)")
        #expect(try installed.granted() == [])
        let filled = try installed.run(fill, input: description)
        #expect(filled.output == description + "username=ann\npassword=s3cr3t\n", "\(filled.output)")
        let granted = try installed.granted()
        // What git runs its helpers with is a git of its own.
        let through = "org.git-scm.git via:\(InstalledHelpers.programs)/autofill-credential path:/usr/"
        #expect(granted.count == 1 && granted[0].hasPrefix(through) && granted[0].hasSuffix("/git"), "\(granted)")
        // Another program runs git: that is what git is for, and git was allowed.
        let other = try installed.run(["/usr/bin/env", "perl", "-e", "system(@ARGV)"] + fill, input: description)
        #expect(other.output.contains("password=s3cr3t"), "\(other.output)")
        #expect(try installed.granted() == granted)
        // A program that runs the helper itself is a different app, and the user is prompted about it.
        let itself = try installed.run(["sh", "-c", "git-credential-autofill get; true"], input: description)
        #expect(itself.output == "username=ann\npassword=s3cr3t\n", "\(itself.output)")
        #expect(try installed.granted().count == 2)
    }

    @Test("Its check reports that it is a delegate")
    func check() throws {
        let run = try InstalledHelpers().run(["sh", "-c", "docker-credential-autofill --check; true"])
        #expect(
            run.output.contains(#""bundleID":"com.docker.cli","assurance":"claimed""#)
                && run.output.contains(#""vault":"unlocked","delegate":true}"#), "\(run.output)")
    }
}
