// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The real daemon and a prompter of root's, which is a script.
@Suite("A scripted prompter", .blocking, .enabled(if: geteuid() == 0, "needs root, which must own a prompter"))
struct PrompterTests {
    @Test("The user allows an app and has it remembered; then nobody is asked again")
    func allowed() throws {
        let stage = try PrompterStage("")
        let app = try stage.appWithSomethingSaved()
        #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(stage.lines.filter { $0 == "CONFIRM" }.count == 2)
        let first = try #require(stage.lines.first { $0.hasPrefix("SETDESC") })
        #expect(first.contains("Example Shop wants to fill the password saved for shop.example.com."))
        #expect(first.contains("Identity: claimed."))
        #expect(stage.lines.contains("OPTION display=:77"))
        let other = try SocketConnection(to: stage.daemon.socket)
        try other.hello()
        #expect(try other.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(stage.lines.filter { $0 == "CONFIRM" }.count == 2)
    }

    @Test("The user denies it, and is not asked again at once; with the setting each fill is asked about")
    func denied() throws {
        let stage = try PrompterStage("CONFIRM) echo 'ERR 83886179 cancelled' ;;")
        let app = try stage.appWithSomethingSaved()
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["consent-denied"])
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["consent-denied"])
        #expect(stage.lines.filter { $0 == "CONFIRM" }.count == 1)

        let everyTime = try PrompterStage("", settings: #", "askBeforeFill": "everyTime""#)
        let second = try everyTime.appWithSomethingSaved()
        for _ in 0..<2 {
            #expect(try second.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        }
        #expect(everyTime.lines.filter { $0 == "CONFIRM" }.count == 2)
    }

    @Test("A locked vault asks for the passphrase, again after a wrong one, and the request continues")
    func passphrase() throws {
        let encoded = MadeVault.passphrase.replacing(" ", with: "%20")
        let stage = try PrompterStage(
            """
            GETPIN)
              if [ -e "$log.again" ]; then echo 'D \(encoded)'; else touch "$log.again"; echo 'D wrong horse'; fi
              echo OK ;;
            """)
        let app = try stage.appWithSomethingSaved()
        try app.call("admin.vault.lock")
        #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(stage.lines.filter { $0 == "GETPIN" }.count == 2)
        #expect(stage.lines.filter { $0.hasPrefix("SETERROR") }.count == 1)
    }

    @Test("A prompter that others could change is not started, and the answer names the command")
    func untrusted() throws {
        let stage = try PrompterStage("")
        try #require(chmod(stage.folder + "/prompter", 0o757) == 0)
        let app = try stage.appWithSomethingSaved()
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        #expect(stage.lines.isEmpty)
        try app.call("admin.vault.lock")
        #expect(try app.call("vault.unlock").reasons == ["vault-locked"])
        // The journal's line is written after the answer is sent, and before the next request is read.
        #expect(stage.daemon.log().contains("[AutoFill] Cannot ask the user: "))
    }

    @Test(
        "A program of root's that is not an allowed prompter is not started, nor is an interpreter that would run the user's code"
    )
    func unlisted() throws {
        let stage = try PrompterStage("", named: false)
        let app = try stage.appWithSomethingSaved()
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        #expect(stage.lines.isEmpty)
        let administrator = try SocketConnection(to: stage.daemon.socket)
        try administrator.hello("org.autofilld.autofillctl")
        let problems = try administrator.call("status").daemon?["problems"] as? [String]
        #expect(problems?.contains { $0.hasPrefix("prompter: Nobody can be asked") } == true)
        #expect(stage.daemon.log().contains("The program is not an allowed prompter"))

        let python = URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: python) else { return }
        let packages = stage.folder + "/.local/lib/\(URL(filePath: python).lastPathComponent)/site-packages"
        try FileManager.default.createDirectory(atPath: packages, withIntermediateDirectories: true)
        try "import os; os.mkdir('\(stage.folder)/ran')".write(
            toFile: packages + "/evil.pth", atomically: false, encoding: .utf8)
        let interpreted = try PrompterStage("", program: python, environment: ["HOME": stage.folder])
        let second = try interpreted.appWithSomethingSaved()
        #expect(try second.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        #expect(!FileManager.default.fileExists(atPath: stage.folder + "/ran"))
    }

    @Test("A prompt is proof for autofillctl where the table permits it, and never for slots")
    func proof() throws {
        let stage = try PrompterStage("")
        _ = try stage.appWithSomethingSaved()
        let administrator = try SocketConnection(to: stage.daemon.socket)
        try administrator.hello("org.autofilld.autofillctl")
        let prompt: [String: Any] = ["proof": ["type": "prompt"]]
        #expect(try administrator.call("admin.grant.list", prompt).result?["grants"] != nil)
        #expect(stage.lines.filter { $0 == "CONFIRM" }.count == 1)
        #expect(try administrator.call("admin.slot.list", prompt).reasons == ["proof-required"])
        #expect(stage.lines.filter { $0 == "CONFIRM" }.count == 1)
    }
}

/// A directory of root's with the prompter in it, and a daemon that uses it.
private final class PrompterStage {
    let folder: String
    let daemon: DaemonProcess

    /// - Parameters:
    ///   - answers: of a shell's `case "$line" in`; every other line is answered with OK.
    ///   - named: whether the administrator names that prompter.
    ///   - program: the prompter in the user's settings; nil: that one.
    init(
        _ answers: String, named: Bool = true, program: String? = nil, settings: String = "",
        environment: [String: String] = [:]
    ) throws {
        var template = Array("/run/autofill-prompter-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
        folder = String(cString: try #require(mkdtemp(&template)))
        let script = """
            #!/bin/sh
            log=\(folder)/log
            echo 'OK Pleased to meet you'
            while IFS= read -r line; do
              printf '%s\\n' "$line" >>"$log"
              case "$line" in
              \(answers)
              *) echo OK ;;
              esac
            done
            """
        try Data(script.utf8).write(to: URL(filePath: "\(folder)/script"))
        // By another process: a file that another test's child has open for writing cannot be executed (ETXTBSY).
        let copy = Process()
        copy.executableURL = URL(filePath: "/usr/bin/install")
        copy.arguments = ["-m", "755", "\(folder)/script", "\(folder)/prompter"]
        try copy.run()
        copy.waitUntilExit()
        let prompters = named ? #", "prompters": ["\#(folder)/prompter"]"# : ""
        try #"{"siteAssociation": "advisory"\#(prompters)}"#.write(
            toFile: folder + "/system.json", atomically: false, encoding: .utf8)
        daemon = try DaemonProcess(
            isEphemeral: false, opensWithKey: false,
            arguments: ["--system-settings", folder + "/system.json", "--data-directory", try MadeVault.copy()],
            settings: #"{"prompter": "\#(program ?? folder + "/prompter")"\#(settings)}"#,
            environment: ["DISPLAY": ":77"].merging(environment) { $1 })
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What the prompter was sent.
    var lines: [String] {
        (try? String(contentsOfFile: folder + "/log", encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    /// An app, and a credential that the user has saved for its shop.
    func appWithSomethingSaved() throws -> SocketConnection {
        let administrator = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try administrator.hello("org.autofilld.autofillctl")
        #expect(try administrator.call("vault.unlock", ["proof": Examples.proof]).result != nil)
        let save: [String: Any] = [
            "service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof,
        ]
        #expect(try administrator.call("credential.save", save).result != nil)
        let app = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try app.hello()
        return app
    }
}
