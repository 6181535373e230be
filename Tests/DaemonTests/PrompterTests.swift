// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The real daemon and a prompter of root's that a script plays.
@Suite("A scripted prompter", .blocking, .enabled(if: geteuid() == 0, "needs root, to whom a prompter has to belong"))
struct PrompterTests {
    @Test("The person allows an app and has it remembered; then nobody is asked again")
    func allowed() throws {
        let place = try PrompterPlace("")
        let app = try place.appWithSomethingSaved()
        #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(place.lines.filter { $0 == "CONFIRM" }.count == 2)
        let first = try #require(place.lines.first { $0.hasPrefix("SETDESC") })
        #expect(first.contains("Example Shop wants to fill the password saved for shop.example.com."))
        #expect(first.contains("Identity: claimed."))
        #expect(place.lines.contains("OPTION display=:77"))
        let other = try SocketConnection(to: place.daemon.socket)
        try other.hello()
        #expect(try other.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(place.lines.filter { $0 == "CONFIRM" }.count == 2)
    }

    @Test("The person denies it, and is not asked again at once; with the setting each fill is asked about")
    func denied() throws {
        let place = try PrompterPlace("CONFIRM) echo 'ERR 83886179 cancelled' ;;")
        let app = try place.appWithSomethingSaved()
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["consent-denied"])
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["consent-denied"])
        #expect(place.lines.filter { $0 == "CONFIRM" }.count == 1)

        let everyTime = try PrompterPlace("", settings: #", "askBeforeFill": "everyTime""#)
        let second = try everyTime.appWithSomethingSaved()
        for _ in 0..<2 {
            #expect(try second.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        }
        #expect(everyTime.lines.filter { $0 == "CONFIRM" }.count == 2)
    }

    @Test("A locked vault asks for the passphrase, again after a wrong one, and the request goes on")
    func passphrase() throws {
        let encoded = MadeVault.passphrase.replacing(" ", with: "%20")
        let place = try PrompterPlace(
            """
            GETPIN)
              if [ -e "$log.again" ]; then echo 'D \(encoded)'; else touch "$log.again"; echo 'D wrong horse'; fi
              echo OK ;;
            """)
        let app = try place.appWithSomethingSaved()
        try app.call("admin.vault.lock")
        #expect(try app.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(place.lines.filter { $0 == "GETPIN" }.count == 2)
        #expect(place.lines.filter { $0.hasPrefix("SETERROR") }.count == 1)
    }

    @Test("A prompter that others could change is not started, and the answer names the command")
    func untrusted() throws {
        let place = try PrompterPlace("")
        try #require(chmod(place.folder + "/prompter", 0o757) == 0)
        let app = try place.appWithSomethingSaved()
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        #expect(place.lines.isEmpty)
        try app.call("admin.vault.lock")
        #expect(try app.call("vault.unlock").reasons == ["vault-locked"])
        // The journal gets its line after the answer has left, and before the next request is read.
        #expect(place.daemon.log().contains("[AutoFill] Cannot ask the user: "))
    }

    @Test("A program of root's that nobody named is not started, also where it would run the user's code")
    func unlisted() throws {
        let place = try PrompterPlace("", named: false)
        let app = try place.appWithSomethingSaved()
        #expect(try app.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        #expect(place.lines.isEmpty)
        let administrator = try SocketConnection(to: place.daemon.socket)
        try administrator.hello("org.autofilld.autofillctl")
        let problems = try administrator.call("status").result?["problems"] as? [String]
        #expect(problems?.contains { $0.hasPrefix("prompter: Nobody can be asked") } == true)
        #expect(place.daemon.log().contains("The program is none of those that may ask the person"))

        let python = URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: python) else { return }
        let packages = place.folder + "/.local/lib/\(URL(filePath: python).lastPathComponent)/site-packages"
        try FileManager.default.createDirectory(atPath: packages, withIntermediateDirectories: true)
        try "import os; os.mkdir('\(place.folder)/ran')".write(
            toFile: packages + "/evil.pth", atomically: false, encoding: .utf8)
        let interpreted = try PrompterPlace("", program: python, environment: ["HOME": place.folder])
        let second = try interpreted.appWithSomethingSaved()
        #expect(try second.call("credential.get", ["service": Examples.shop]).reasons == ["grant-missing"])
        #expect(!FileManager.default.fileExists(atPath: place.folder + "/ran"))
    }

    @Test("A prompt is proof for autofillctl where the table admits it, and for slots it is none")
    func proof() throws {
        let place = try PrompterPlace("")
        _ = try place.appWithSomethingSaved()
        let administrator = try SocketConnection(to: place.daemon.socket)
        try administrator.hello("org.autofilld.autofillctl")
        let prompt: [String: Any] = ["proof": ["prompt": true]]
        #expect(try administrator.call("admin.grant.list", prompt).result?["grants"] != nil)
        #expect(place.lines.filter { $0 == "CONFIRM" }.count == 1)
        #expect(try administrator.call("admin.slot.list", prompt).reasons == ["proof-required"])
        #expect(place.lines.filter { $0 == "CONFIRM" }.count == 1)
    }
}

/// A directory of root's with the prompter in it, and a daemon that uses it.
private final class PrompterPlace {
    let folder: String
    let daemon: DaemonProcess

    /// - Parameters:
    ///   - answers: of a shell's `case "$line" in`, before those that say OK to all else.
    ///   - named: whether the administrator names that prompter.
    ///   - program: what the user has set in its place.
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
        // By a process of its own: what another test's child holds open for writing cannot be run (ETXTBSY).
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

    /// An app, in whose shop the person has saved something.
    func appWithSomethingSaved() throws -> SocketConnection {
        let administrator = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try administrator.hello("org.autofilld.autofillctl")
        #expect(try administrator.call("vault.unlock", Examples.proof).result != nil)
        let save: [String: Any] = [
            "service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof,
        ]
        #expect(try administrator.call("credential.save", save).result != nil)
        let app = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try app.hello()
        return app
    }
}
