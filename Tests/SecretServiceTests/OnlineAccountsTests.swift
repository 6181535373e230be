// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// goa-daemon, which others rely on for their passwords.
enum OnlineAccounts {
    static let program = "/usr/libexec/goa-daemon"
    static let isAvailable =
        SecretStage.isAvailable && FileManager.default.isExecutableFile(atPath: program)
        && (try? ForeignProgram("/usr/bin/python3", ["-c", "import gi"]))?.status == 0

    static let script = """
        import sys
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        root = "/org/gnome/OnlineAccounts"
        def call(path, interface, method, arguments=None):
            return bus.call_sync("org.gnome.OnlineAccounts", path, interface, method, arguments, None, 0, 60000, None).unpack()[0]
        if sys.argv[1] == "add":
            secrets = {"imap-password": GLib.Variant("s", "s3cr3t"), "smtp-password": GLib.Variant("s", "0ther")}
            details = {
                "Enabled": "true", "EmailAddress": "ann@mail.invalid", "Name": "Ann", "ImapHost": "mail.invalid",
                "ImapUserName": "ann", "ImapUseSsl": "true", "ImapUseTls": "false", "ImapAcceptSslErrors": "false",
                "SmtpHost": "mail.invalid", "SmtpUseAuth": "true", "SmtpUserName": "ann", "SmtpAuthLogin": "false",
                "SmtpAuthPlain": "true", "SmtpUseSsl": "true", "SmtpUseTls": "false", "SmtpAcceptSslErrors": "false"}
            print(call(root + "/Manager", "org.gnome.OnlineAccounts.Manager", "AddAccount", GLib.Variant(
                "(sssa{sv}a{ss})", ("imap_smtp", "ann@mail.invalid", "ann@mail.invalid", secrets, details))))
        else:
            objects = call(root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
            kind = "org.gnome.OnlineAccounts.PasswordBased"
            account = next(path for path in objects if kind in objects[path])
            print(call(account, kind, "GetPassword", GLib.Variant("(s)", (sys.argv[2],))))

        """
}

@Suite(
    "GNOME Online Accounts on autofill-secrets", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: OnlineAccounts.isAvailable, "needs gnome-online-accounts, python3-gi; \(SecretStage.need)"))
struct OnlineAccountsTests {
    @Test("goa-daemon keeps an account's passwords, finds them again after a kill -9, and no other program reads them")
    func account() throws {
        let stage = try SecretStage(consent: "deny")
        try stage.directory.write("goa.py", OnlineAccounts.script)
        func accounts(_ arguments: String...) throws -> String {
            try stage.run(["/usr/bin/python3", stage.directory.path + "/goa.py"] + arguments).output
        }
        #expect(try accounts("add").hasPrefix("/org/gnome/OnlineAccounts/Accounts/"), "\(stage.log)")
        #expect(try accounts("get", "imap-password") == "s3cr3t\n")
        let before = try stage.process(of: "org.gnome.OnlineAccounts")
        try #require(before > 0)
        kill(before, SIGKILL)
        while try stage.process(of: "org.gnome.OnlineAccounts") == before {}
        #expect(try accounts("get", "smtp-password") == "0ther\n", "\(stage.log)")
        let other = try stage.run(program: "two", ["lookup", "xdg:schema", "org.gnome.OnlineAccounts"])
        #expect(other.status == 1 && !other.output.contains("s3cr3t"), "\(other.output)")
    }

    private struct Family: Decodable {
        let schemas: [String]
        let executables: [String]
    }

    @Test("Of the families that are shipped no path is a link, nor another user's, where the program is installed")
    func families() throws {
        let folder = TestFiles.root + "systemd/secrets/families/"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let file = try Data(contentsOf: URL(filePath: folder + name))
            for path in try JSONDecoder().decode(Family.self, from: file).executables {
                guard FileManager.default.fileExists(atPath: path) else { continue }
                let real = try #require(realpath(path, nil))
                defer { free(real) }
                #expect(String(cString: real) == path)
                var facts = stat()
                #expect(stat(path, &facts) == 0 && facts.st_uid == 0 && facts.st_mode & 0o111 != 0, "\(path)")
            }
        }
    }
}
