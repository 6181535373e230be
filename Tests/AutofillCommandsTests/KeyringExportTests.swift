// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

@testable import AutofillCommands

/// With the real daemon and the real gnome-keyring, each on a bus of a test's own.
@Suite(
    "autofillctl and the Secret Service that runs", .serialized, .timeLimit(.minutes(3)),
    .enabled(if: TestService.isThere, TestService.absence),
    .enabled(if: KeyringFixture.isAvailable && ForeignProgram.isInstalled("secret-tool"), KeyringFixture.need))
struct KeyringExportTests {
    private static let entries = #"""
        {"encrypted": false, "folders": [{"id": "f1", "name": "Work"}], "items": [
          {"type": 1, "name": "Shop", "notes": "one\ntwo", "folderId": "f1",
           "login": {"username": "ann", "password": "p,\"q\"", "totp": "otpauth://totp/Shop:ann?secret=GEZDGNBVGY3TQOJQ",
            "uris": [{"uri": "https://shop.example"}, {"uri": "https://api.shop.example"}]}},
          {"type": 1, "name": "Bank", "login": {"username": "bob", "password": "pä ss",
            "uris": [{"uri": "https://bank.example/login"}]}}]}
        """#

    /// Runs a script for sh(1), with autofillctl and its options for this service as $ctl and $own.
    private func run(_ service: TestService, on other: String = "gnome-keyring", _ script: String) throws -> String {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/SecretSuitesTests"
        let programs = URL(filePath: try #require(CommandRun.executable)).deletingLastPathComponent().path
        let run = try ForeignProgram(
            "/usr/bin/python3",
            [
                "-B", folder + "/stage.py", "--service", other, "--programs", programs, "sh", "-c",
                """
                ctl=\(programs)/autofillctl
                own="--socket \(service.socket) --key-file \(service.key)"
                \(script)
                """,
            ])
        #expect(run.status == 0, "\(run.output)")
        return run.output
    }

    @Test("Each password, code and notes is written once, found by other programs, and replaced only with --force")
    func export() async throws {
        let service = try await TestService.withVault()
        try service.directory.write("in.json", Self.entries)
        #expect(try await service.proven("import", service.directory.path + "/in.json", "--yes").status == 0)
        let text = try run(
            service,
            """
            export="$ctl export secret-service --yes $own"
            bank="xdg:schema org.gnome.keyring.NetworkPassword protocol https server bank.example user bob"
            $export
            echo "[$(secret-tool lookup server shop.example user ann)]"
            echo "[$(secret-tool lookup site api.shop.example account ann kind otpauth)]"
            echo "[$(secret-tool lookup site shop.example kind notes)]"
            echo "[$(secret-tool lookup server bank.example)]"
            $export
            printf other | secret-tool store --label=Bank $bank
            $export --only bank.example
            echo "[$(secret-tool lookup $bank)]"
            $export --only bank.example --force
            echo "[$(secret-tool lookup $bank)]"
            """)
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        let wanted = [
            "Shop folder: the format has no place for it",
            "7 secrets written to the keyring of gnome-keyring-daemon, 0 there already.",
            "[p,\"q\"] [otpauth://totp/Shop:ann?secret=GEZDGNBVGY3TQOJQ", "[one two] [pä ss]",
            "0 secrets written to the keyring of gnome-keyring-daemon, 7 there already.",
            "Bank another secret is there; --force replaces it 0 secrets written", "0 there already. [other]",
            "1 secret written to the keyring of gnome-keyring-daemon, 0 there already. [pä ss]",
        ]
        for part in wanted { #expect(words.contains(part), "\(part) is missing: \(text)") }
        let log = try await service.proven("log", "--json")
        #expect(log.output.contains("admin.export.read"))
    }

    @Test("A locked keyring, and autofill-secrets itself, are refused before anything is released")
    func refused() async throws {
        let service = try await TestService.withVault()
        try service.directory.write("in.json", Self.entries)
        #expect(try await service.proven("import", service.directory.path + "/in.json", "--yes").status == 0)
        let locked = try run(service, "secret-tool lock; $ctl export secret-service --yes $own; echo \"status $?\"")
        #expect(locked.contains("The default keyring is locked") && locked.contains("status 1"), "\(locked)")
        if geteuid() == 0 {
            let own = try run(service, on: "autofill", "$ctl export secret-service --yes $own; echo \"status $?\"")
            #expect(own.contains("autofillctl secret-service disable") && own.contains("status 1"), "\(own)")
        }
        let none = try await service.proven("export", "secret-service", "--yes")
        #expect(none.status == 69 && none.errors.contains("No Secret Service answers"), "\(none)")
        #expect(try await service.proven("log", "--json").output.contains("admin.export.read") == false)
    }

    /// As Chromium encrypts it (components/os_crypt/sync/os_crypt_linux.cc).
    private static let profile = """
        import hashlib, sqlite3, subprocess, sys
        key = hashlib.pbkdf2_hmac("sha1", b"key of Chromium", b"saltysalt", 1, 16).hex()
        sealed = subprocess.run(["openssl", "enc", "-aes-128-cbc", "-K", key, "-iv", "20" * 16], input=b"s3cr3t", capture_output=True)
        with sqlite3.connect(sys.argv[1] + "/Login Data") as database:
            database.execute("CREATE TABLE logins (origin_url, username_value, password_value BLOB)")
            database.execute("INSERT INTO logins VALUES ('https://shop.example/', 'ann', ?)", (b"v11" + sealed.stdout,))
        """

    @Test(
        "The key of a profile of Chromium is taken from the keyring",
        .enabled(if: ForeignProgram.isInstalled("openssl"), "needs openssl"))
    func chromium() async throws {
        let service = try await TestService.withVault()
        let profile = service.directory.path + "/chromium/Default"
        try service.directory.write("chromium/Default/.keep", "")
        #expect(try ForeignProgram("/usr/bin/python3", ["-c", Self.profile, profile]).status == 0)
        let text = try run(
            service,
            """
            import="$ctl import \(profile) --yes $own"
            store() { printf "$1" | secret-tool store --label="$2" xdg:schema chrome_libsecret_os_crypt_password_v2 application $2; }
            $import; echo "status $?"
            store "key of another" chrome
            store "key of Chromium" chromium
            $import; echo "status $?"
            """)
        #expect(text.contains("it has no key of this browser") && text.contains("status 1"), "\(text)")
        #expect(text.contains("1 added") && text.contains("status 0"), "\(text)")
        #expect(try await service.proven("get", "shop.example", "ann", "--reveal").output == "s3cr3t\n")
    }

    @Test("The item of the browser that the profile's path names is chosen, else the only one")
    func browsers() {
        let both = ["chrome": "/1", "chromium": "/2"]
        #expect(BrowserKey.path(of: "/home/ann/.config/chromium/Default", both) == "/2")
        #expect(BrowserKey.path(of: "/home/ann/.config/google-chrome/Profile 1", both) == "/1")
        #expect(BrowserKey.path(of: "/home/ann/.config/vivaldi/Default", both) == nil)
        #expect(BrowserKey.path(of: "/mnt/old", ["brave": "/3"]) == "/3")
    }
}
