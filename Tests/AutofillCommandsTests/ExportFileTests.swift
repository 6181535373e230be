// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import FoundationEssentials
import Glibc
import TestGround
import Testing

/// With the real daemon and the real converter.
@Suite(
    "autofillctl export FILE", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: TestService.isThere, TestService.absence))
struct ExportFileTests {
    private static let password = "file password"
    private static let bitwarden = #"""
        {"encrypted": false, "folders": [{"id": "f1", "name": "Work/Web"}], "items": [
          {"type": 1, "name": "Shop", "notes": "one\ntwo", "favorite": true, "folderId": "f1",
           "creationDate": "2020-01-02T03:04:05.000Z", "revisionDate": "2024-01-02T03:04:05.000Z",
           "fields": [{"name": "PIN", "value": "12=34", "type": 1}],
           "passwordHistory": [{"lastUsedDate": "2023-01-02T03:04:05.000Z", "password": "former"}],
           "login": {"username": "ann", "password": "p,\"q\"", "totp": "otpauth://totp/Shop:ann?secret=GEZDGNBVGY3TQOJQ&issuer=Shop",
            "uris": [{"uri": "https://shop.example"}, {"uri": "https://api.shop.example"}]}},
          {"type": 1, "name": "Bank", "creationDate": "2021-01-02T03:04:05.000Z",
           "revisionDate": "2022-01-02T03:04:05.000Z",
           "login": {"username": "=cmd", "password": "pä ss", "uris": [{"uri": "https://bank.example"}]}}]}
        """#

    private func filled() async throws -> TestService {
        let service = try await TestService.withVault()
        try service.directory.write("in.json", Self.bitwarden)
        let run = try await service.proven("import", service.directory.path + "/in.json", "--yes")
        try #require(run.status == 0, "\(run.errors)")
        return service
    }

    private func export(
        _ service: TestService, _ name: String, _ more: String..., password: String? = nil
    ) async throws -> CommandRun {
        try await CommandRun.of(
            [
                "export", "\(service.directory.path)/\(name)", "--yes", "--socket", service.socket, "--key-file",
                service.key,
            ] + more + (password == nil ? [] : ["--file-password-fd", "3"]),
            inputs: password.map { [3: $0] } ?? [:])
    }

    private func text(_ service: TestService, _ name: String) throws -> String {
        try String(contentsOfFile: "\(service.directory.path)/\(name)", encoding: .utf8)
    }

    private func files(_ service: TestService) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: service.directory.path))
    }

    @Test(
        "A file that is exported, imported into another vault and exported there again has the same bytes, or content",
        arguments: ["chrome", "apple", "bitwarden", "bitwarden-protected", "kdbx", "cxf"])
    func roundTrip(_ format: String) async throws {
        let service = try await filled()
        let password = ["bitwarden-protected", "kdbx"].contains(format) ? Self.password : nil
        let run = try await export(service, "out", "--format", format, password: password)
        #expect(run.status == 0, "\(run.errors)")
        let path = service.directory.path + "/out"
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600 && status.st_uid == getuid())
        #expect(run.output.contains("2 entries written to \(path)"))
        #expect(run.output.contains("plain text") == (password == nil))

        let other = try await TestService.withVault()
        let inputs: [Int32: String] = password.map { [3: $0] } ?? [:]
        let made = try await CommandRun.of(
            ["import", path, "--yes", "--socket", other.socket, "--key-file", other.key]
                + (password == nil ? [] : ["--file-password-fd", "3"]), inputs: inputs)
        // A CSV file has a line for each site.
        #expect(made.status == 0, "\(made.errors)")
        let csv = ["chrome", "apple"].contains(format)
        #expect(made.output.contains(csv ? "3 added" : "2 added"), "\(made.output)")
        // Formats that have random bytes, or no times, are compared in another one that has neither.
        let compared = csv ? format : "bitwarden"
        #expect(try await export(service, "first", "--format", compared).status == 0)
        #expect(try await export(other, "second", "--format", compared).status == 0)
        func sorted(_ text: String) -> [Substring] {
            text.replacing("},{\"type\"", with: "}\n,{\"type\"").replacing("[{\"type\"", with: "[\n,{\"type\"")
                .replacing("],\"folders\"", with: "\n],\"folders\"").split(whereSeparator: \.isNewline).sorted()
        }
        var (first, second) = (sorted(try text(service, "first")), sorted(try text(other, "second")))
        if format == "cxf" {
            // It has no place for former passwords: the export lists them.
            #expect(run.output.contains("Shop") && run.output.contains("history: the format has no place for it"))
            first = first.map { line in
                line.firstRange(of: "\"passwordHistory\":[").map { start in
                    let end = line[start.upperBound...].firstRange(of: "],")?.upperBound ?? line.endIndex
                    return line[..<start.lowerBound] + line[end...]
                } ?? line
            }
        }
        #expect(first == second)
        #expect(try text(other, "second").contains("pä ss") && text(other, "second").contains("=cmd"))
    }

    @Test("The same vault gives the same bytes twice, and each release is on record")
    func twice() async throws {
        let service = try await filled()
        for name in ["a.json", "b.json"] { #expect(try await export(service, name).status == 0) }
        #expect(try text(service, "a.json") == text(service, "b.json"))
        let log = try await service.proven("log", "--json")
        #expect(log.output.split(separator: "admin.export.read").count == 5, "\(log.output) \(log.errors)")
    }

    @Test("With --only nothing else is in the file, or on record")
    func only() async throws {
        let service = try await filled()
        let run = try await export(service, "bank.csv", "--only", "bank.example")
        #expect(run.status == 0 && run.output.contains("1 entry written"))
        let text = try text(service, "bank.csv")
        #expect(text.contains("bank.example") && !text.contains("shop.example"))
        #expect(try await service.proven("log", "--json").output.contains("shop.example") == false)
    }

    @Test("No file is replaced without --force, and nothing is released for one that cannot be written")
    func force() async throws {
        let service = try await filled()
        try service.directory.write("out.csv", "mine")
        let refused = try await export(service, "out.csv")
        #expect(refused.status == 1 && refused.errors.contains("--force") && refused.errors.contains("exists"))
        #expect(try text(service, "out.csv") == "mine")
        #expect(try await export(service, "none/out.csv").status == 71)
        #expect(try await export(service, "out.txt").status == 64)
        #expect(try await export(service, "data", "--format", "cxf", "--force").status == 71)
        #expect(try await service.proven("log", "--json").output.contains("admin.export.read") == false)
        let before = try files(service)
        #expect(try await export(service, "out.csv", "--force").status == 0)
        #expect(try text(service, "out.csv").hasPrefix("name,url,"))
        var status = stat()
        #expect(stat(service.directory.path + "/out.csv", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try files(service) == before, "no temporary file is left")
    }

    @Test("Without a terminal a plain export needs --yes, a protected one its password, and all the vault's secret")
    func asks() async throws {
        let service = try await filled()
        let path = service.directory.path + "/out.csv"
        let unconfirmed = try await service.proven("export", path)
        #expect(unconfirmed.status == 66 && unconfirmed.errors.contains("--yes"))
        let unnamed = try await service.proven("export", service.directory.path + "/out.kdbx")
        #expect(unnamed.status == 66 && unnamed.errors.contains("--file-password-fd"))
        let unproven = try await service.run("export", path, "--yes")
        #expect(unproven.status == 66 && unproven.errors.contains("--passphrase-fd"))
        #expect(access(path, F_OK) != 0)
    }

    @Test(
        "Killed at any moment, or interrupted where it may replace a file, it leaves the whole file or none",
        arguments: [(SIGKILL, []), (SIGINT, ["--force"])] as [(Int32, [String])])
    func killed(by signal: Int32, _ more: [String]) async throws {
        let service = try await filled()
        try service.directory.write("password", Self.password)
        let before = try files(service)
        let output = service.directory.path + "/run.log"
        var whole = 0
        for round in 0..<12 {
            let child = try ChildProcess.start(
                try #require(CommandRun.executable),
                [
                    "export", service.directory.path + "/out.kdbx", "--socket", service.socket, "--key-file",
                    service.key, "--file-password-fd", "3",
                ] + more, environment: [:],
                files: [
                    (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)),
                    (STDOUT_FILENO, .path(output, flags: O_WRONLY | O_CREAT)),
                    (STDERR_FILENO, .path(output, flags: O_WRONLY | O_CREAT)),
                    (3, .path(service.directory.path + "/password", flags: O_RDONLY)),
                ])
            // From the start of the program to after its end.
            usleep(UInt32(round * round) * 15_000)
            kill(child, signal)
            ChildProcess.wait(for: child)
            unlink(output)
            let path = service.directory.path + "/out.kdbx"
            if access(path, F_OK) == 0 {
                whole += 1
                let other = try await TestService.withVault()
                let made = try await CommandRun.of(
                    [
                        "import", path, "--yes", "--file-password-fd", "3", "--socket", other.socket, "--key-file",
                        other.key,
                    ], inputs: [3: Self.password])
                #expect(made.output.contains("2 added"), "\(made.errors)")
                unlink(path)
            }
            #expect(try files(service) == before, "no part of a file is left")
        }
        print("exports that were whole when they were killed: \(whole) of 12")
    }

    @Test("On a full disk there is no file", .enabled(if: geteuid() == 0, "a file system is mounted, as root"))
    func full() async throws {
        let service = try await filled()
        var text = "name,url,username,password,note\n"
        for number in 0..<300 {
            text += "S,https://s\(number).example,ann,p,\(String(repeating: "x", count: 300))\n"
        }
        try service.directory.write("many.csv", text)
        #expect(try await service.proven("import", service.directory.path + "/many.csv", "--yes").status == 0)
        let small = service.directory.path + "/small"
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: false)
        try #require(mount("tmpfs", small, "tmpfs", 0, "size=32k") == 0)
        defer { umount2(small, Int32(MNT_DETACH)) }
        let run = try await service.proven("export", small + "/out.csv", "--yes")
        #expect(run.status == 71, "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: small).isEmpty)
        #expect(run.errors.contains("the output cannot be written: No space left on device"))
    }

    @Test(
        "keepassxc-cli reads the KDBX file with its code",
        .enabled(if: access("/usr/bin/keepassxc-cli", X_OK) == 0, "keepassxc-cli is not installed"))
    func keepassxc() async throws {
        let service = try await filled()
        #expect(try await export(service, "out.kdbx", password: Self.password).status == 0)
        let shown = try await CommandRun.of(
            program: "/bin/sh",
            [
                "-c",
                #"echo "$1" | keepassxc-cli show -q -s -a UserName -a Password -a URL -a PIN -t "$2" "Work/Web/Shop""#,
                "sh", Self.password, service.directory.path + "/out.kdbx",
            ], environment: ["PATH": "/usr/bin:/bin", "HOME": service.directory.path, "QT_QPA_PLATFORM": "offscreen"])
        let lines = shown.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(4) == ["ann", #"p,"q""#, "https://shop.example", "12=34"], "\(shown)")
        #expect(lines.count == 5 && lines.last?.count == 6 && lines.last?.allSatisfy(\.isNumber) == true)
    }

    @Test("pykeepass reads the KDBX file with its code and its history")
    func pykeepass() async throws {
        let service = try await filled()
        #expect(try await export(service, "out.kdbx", password: Self.password).status == 0)
        let script = """
            import sys
            try: from pykeepass import PyKeePass
            except ImportError: sys.exit(77)
            found = PyKeePass(sys.argv[1], password=sys.argv[2]).find_entries(title="Shop", first=True)
            print(found.username, found.password, found.otp, [h.password for h in found.history], repr(found.notes))
            """
        let read = try await CommandRun.of(
            program: "/usr/bin/python3", ["-c", script, service.directory.path + "/out.kdbx", Self.password],
            environment: [:])
        // Not installed.
        guard read.status != 77 else { return }
        let uri = "otpauth://totp/Shop:ann?secret=GEZDGNBVGY3TQOJQ&issuer=Shop"
        #expect(read.output == #"ann p,"q" \#(uri) ['former'] 'one\ntwo'"# + "\n", "\(read)")
    }
}
