// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// A login of GNOME after `autofillctl import gnome-keyring`, with the real keyring, daemon, bridge and bus;
/// secret-tool, at the paths of a desktop's programs, represents them.
@Suite(
    "A login after an import from gnome-keyring", .blocking, .timeLimit(.minutes(3)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"),
    .enabled("gnome-keyring or python3-secretstorage is not installed") {
        try ForeignProgram("/usr/bin/python3", ["-c", "import jeepney"]).status == 0
            && ForeignProgram.isInstalled("gnome-keyring-daemon")
    })
struct ImportedLoginTests {
    /// The search of a program at a login, and the number of items for it.
    private struct LookUp {
        let program: String
        let attributes: [String: String]
        let count: Int
    }

    private static let evolution = "org.gnome.Evolution.Data.Source"
    private static let network = "org.freedesktop.NetworkManager.Connection"
    private static let files = "org.gnome.keyring.NetworkPassword"
    private static let plain = "org.freedesktop.Secret.Generic"

    /// 40 items as the programs of a desktop keep them.
    private static let items: [[String: String]] =
        (1...8).map {
            ["xdg:schema": evolution, "e-source-uid": "source-\($0)", "eds-origin": "evolution-data-server"]
        }
        + (1...3).map { ["xdg:schema": "org.gnome.OnlineAccounts", "goa-identity": "google:gen0:account_\($0)"] }
        + (1...9).map {
            [
                "xdg:schema": network, "connection-uuid": "uuid-\($0)", "setting-name": "802-11-wireless-security",
                "setting-key": "psk",
            ]
        }
        + (1...5).map { ["xdg:schema": files, "server": "nas\($0).example", "user": "ann", "protocol": "smb"] }
        + (1...2).map { ["xdg:schema": plain, "unique": "ssh-store:/home/ann/.ssh/id_\($0)"] }
        + [["xdg:schema": "chrome_libsecret_os_crypt_password_v2", "application": "chromium"]]
        + (1...3).map {
            ["xdg:schema": "org.git.Password", "server": "git\($0).example", "protocol": "https", "user": "ann"]
        }
        + (1...4).map {
            ["xdg:schema": "org.qt.keychain", "server": "Nextcloud", "user": "ann_\($0)", "type": "plaintext"]
        }
        + (1...3).map { ["application": "Python keyring library", "service": "mailer", "username": "ann\($0)"] }
        + (1...2).map { ["xdg:schema": plain, "service": "Signal", "account": "key \($0)"] }

    private static let login = [
        LookUp(
            program: "/usr/libexec/evolution-source-registry", attributes: ["eds-origin": "evolution-data-server"],
            count: 8),
        LookUp(program: "/usr/libexec/goa-daemon", attributes: ["goa-identity": "google:gen0:account_2"], count: 1),
        LookUp(program: "/usr/bin/gnome-shell", attributes: ["setting-name": "802-11-wireless-security"], count: 9),
        LookUp(program: "/usr/bin/nm-applet", attributes: ["connection-uuid": "uuid-3"], count: 1),
        LookUp(
            program: "/usr/libexec/gcr-ssh-agent", attributes: ["unique": "ssh-store:/home/ann/.ssh/id_1"], count: 1),
        LookUp(program: "/usr/libexec/gvfsd-smb", attributes: ["server": "nas2.example", "protocol": "smb"], count: 1),
        LookUp(program: "/usr/lib/chromium/chromium", attributes: ["application": "chromium"], count: 1),
        LookUp(program: "/usr/lib/git-core/git-credential-libsecret", attributes: ["server": "git1.example"], count: 1),
        // These are not recorded: each prompts once, for all that it finds.
        LookUp(program: "/usr/bin/nextcloud", attributes: ["server": "Nextcloud"], count: 4),
        LookUp(program: "/usr/bin/mailer", attributes: ["service": "mailer"], count: 3),
        LookUp(program: "/usr/bin/signal-desktop", attributes: ["service": "Signal"], count: 2),
    ]

    /// A stage with the programs of a desktop, and the families that are installed with autofilld.
    private func stage() throws -> SecretStage {
        let stage = try SecretStage(consent: nil)
        let script = """
            set -eu
            umask 022
            own=$1 families=$2; shift 2
            for program; do
                mkdir -p "$own$(dirname "$program")"
                install -m 755 /usr/bin/secret-tool "$own$program"
            done
            mkdir -p "$own/usr/share/autofilld/secret-families"
            install -m 644 "$families"/*.json "$own/usr/share/autofilld/secret-families"
            mount -t overlay overlay -o "lowerdir=$own/usr:/usr" /usr
            # Without those of this machine.
            mount --bind "$own/usr/share/autofilld" /usr/share/autofilld
            [ ! -d /usr/local/share/autofilld ] || mount -t tmpfs tmpfs /usr/local/share/autofilld
            """
        let made = try stage.run(
            ["sh", "-c", script, "sh", stage.directory.path, TestFiles.root + "systemd/secrets/families"]
                + Self.login.map(\.program))
        try #require(made.status == 0, "\(made.output)")
        return stage
    }

    /// Keyrings with the items, each with its number as its secret.
    private func keyrings(in stage: SecretStage) throws -> String {
        let path = stage.directory.path + "/keyrings"
        var lines = ""
        for (number, attributes) in Self.items.enumerated() {
            let line: [Any] = ["item", "login", "\(number)", "Item \(number)", attributes, "secret \(number)"]
            lines += String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self) + "\n"
        }
        let script = TestFiles.root + "Tests/SecretSuitesTests/make_keyrings.py"
        let made = try ForeignProgram("/usr/bin/python3", ["-B", script, path], input: lines)
        try #require(made.status == 0, "\(made.output)")
        return path
    }

    /// Runs autofillctl with a key of the vault's, which is proof at once.
    private func command(_ stage: SecretStage, _ arguments: [String], input: String = "") throws -> ForeignProgram {
        let program = try DaemonProcess.program("autofillctl")
        let key = stage.directory.path + "/vault.key"
        if !FileManager.default.fileExists(atPath: key) {
            let made = try stage.run(
                [program, "vault", "slot", "add", "--new-key-file", key, "--passphrase-fd", "0"],
                input: PromptedUser.passphrase)
            try #require(made.status == 0, "\(made.output)")
        }
        return try stage.run([program] + arguments + ["--key-file", key], input: input)
    }

    private func importKeyrings(_ stage: SecretStage, _ keyrings: String) throws -> ForeignProgram {
        try command(
            stage, ["import", "gnome-keyring", "--yes", "--keyrings", keyrings, "--keyring-password-fd", "0"],
            input: "login")
    }

    /// Consents to every prompt, until `body` has ended.
    ///
    /// - Returns: the questions about secrets, without those whether to ask again.
    private func questions(_ stage: SecretStage, during body: () throws -> Void) throws -> [String] {
        try PromptedUser(stage).answering(stage, { _ in "yes" }, during: body)
            .filter { !$0.contains("without asking again") }
    }

    private func logIn(_ stage: SecretStage) throws {
        for lookUp in Self.login {
            let arguments = lookUp.attributes.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
            let run = try stage.run([lookUp.program, "search", "--all", "--unlock"] + arguments)
            let secrets = Set(
                run.output.split(separator: "\n").filter { $0.hasPrefix("secret = ") }.map { $0.dropFirst(9) })
            let expected = Self.items.enumerated()
                .filter { item in lookUp.attributes.allSatisfy { item.element[$0.key] == $0.value } }
                .map { "secret \($0.offset)" }
            #expect(expected.count == lookUp.count)
            #expect(secrets == Set(expected.map { $0[...] }), "\(lookUp.program): \(run.output) \(stage.log)")
        }
    }

    @Test("With 40 items a login prompts three times, for the programs that are not recorded; the next one not at all")
    func login() throws {
        #expect(Self.items.count == 40)
        let stage = try stage()
        let imported = try importKeyrings(stage, try keyrings(in: stage))
        #expect(
            imported.status == 0 && imported.output.contains("40 items saved, 11 grants made"), "\(imported.output)")
        #expect(
            imported.output.contains("/usr/libexec/gvfsd-smb") && imported.output.contains("/usr/libexec/goa-daemon"))
        let first = try questions(stage) { try logIn(stage) }
        #expect(first.count == 3, "\(first)")
        let second = try questions(stage) { try logIn(stage) }
        #expect(second == [], "\(second)")
    }

    @Test("A program that has a grant for all imported items, by its path, causes no prompt")
    func granted() throws {
        let stage = try stage()
        let imported = try importKeyrings(stage, try keyrings(in: stage))
        #expect(imported.status == 0, "\(imported.output)")
        let arguments = ["grant", "allow", "--program", "/usr/bin/nextcloud", "org.freedesktop.secrets/imported"]
        let allowed = try command(stage, arguments)
        #expect(allowed.status == 0, "\(allowed.output)")
        let asked = try questions(stage) { try logIn(stage) }
        #expect(asked.count == 2 && !asked.contains { $0.contains("nextcloud") }, "\(asked)")
        let own = try command(stage, ["grant", "allow", "/usr/bin/nextcloud"])
        #expect(own.output.hasPrefix("Allowed: /usr/bin/nextcloud, org.freedesktop.secrets/own\n"), "\(own.output)")
    }
}
