// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// attacks.md, one sandboxed app, 1 to 8: all at once, by another program than the tests', for some seconds.
/// `Tests/bench --only worst-app` measures the time that this costs others.
@Suite(
    "One app at its worst", .blocking,
    .enabled(if: geteuid() == 0 && access("/usr/bin/python3", X_OK) == 0, "needs root, whose a prompter is, and Python")
)
struct WorstAppTests {
    @Test("Meanwhile no other app is refused anything, all releases are recorded, and the daemon stays small")
    func allAtOnce() throws {
        let stage = try WorstAppStage()
        let daemon = stage.daemon
        let app = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try app.hello()
        let before = daemon.residentKibibytes
        let attacker = try stage.attack(seconds: 3)
        var (gets, most) = (0, 0)
        while attacker.isRunning {
            let site = stage.sites[gets % stage.sites.count]
            let got = try app.call("credential.get", ["service": site, "user": "ann"])
            #expect(got.text("password") == "s3cret", "\(got.reasons)")
            let own: [String: Any] = ["service": site, "user": "own\(gets % 50)", "password": "new \(gets)"]
            let saved = try app.call("credential.save", own)
            #expect(saved.error == nil, "\(saved.reasons)")
            gets += 1
            most = max(most, daemon.residentKibibytes)
            // A hundred times a second, more often than a user.
            usleep(10_000)
        }
        #expect(try stage.answeredByAttacker() > 100)
        #expect(most < 200 << 10, "\(most >> 10) MiB")
        #expect(try stage.gets() == gets)
        // 8 MiB of freed memory are retained (`ProcessMemory`), with the vault's pages and the app's quota.
        let after = stage.residentKibibytes(fallingTo: before + 16 << 10)
        #expect(after <= before + 16 << 10, "\((after - before) >> 10) MiB more")
        // Memory does not accumulate.
        try stage.attack(seconds: 3).waitUntilExit()
        #expect(try stage.answeredByAttacker() > 100)
        let again = stage.residentKibibytes(fallingTo: after + 4 << 10)
        #expect(again <= after + 4 << 10, "\((again - after) >> 10) MiB more than after the first time")
    }
}

/// A daemon, a user who allows one app what it requests and other apps nothing, and one of those.
private final class WorstAppStage {
    let folder: String
    let daemon: DaemonProcess
    /// The sites that the user has saved a credential for.
    let sites = (0..<8).map { ["type": "domain", "value": "n\($0).members.example.com"] }
    private let registrations: TestRegistrations
    private let user: SocketConnection
    private var attacker = Process()
    private var output = Pipe()
    /// Its output that was not read yet.
    private var said = Data()

    init() throws {
        var template = Array("/run/autofill-worst-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
        folder = String(cString: try #require(mkdtemp(&template)))
        registrations = try TestRegistrations(["org.example.Worst": Self.registration])
        try Self.prompter.write(toFile: "\(folder)/script", atomically: false, encoding: .utf8)
        // By another process: a file that another test's child has open for writing cannot be executed (ETXTBSY).
        let copy = Process()
        copy.executableURL = URL(filePath: "/usr/bin/install")
        copy.arguments = ["-m", "755", "\(folder)/script", "\(folder)/prompter"]
        try copy.run()
        copy.waitUntilExit()
        try #"{"siteAssociation": "advisory", "prompters": ["\#(folder)/prompter"]}"#.write(
            toFile: "\(folder)/system.json", atomically: false, encoding: .utf8)
        daemon = try DaemonProcess(
            isEphemeral: false,
            arguments: ["--system-settings", "\(folder)/system.json", "--registrations", registrations.path],
            settings: #"{"prompter": "\#(folder)/prompter"}"#, environment: ["DISPLAY": ":77"])
        user = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try user.hello("org.autofilld.autofillctl")
        try #require(try user.call("admin.vault.create", Examples.newSecret).error == nil)
        for site in sites {
            let save: [String: Any] = ["service": site, "user": "ann", "password": "s3cret", "proof": Examples.proof]
            try #require(try user.call("credential.save", save).error == nil)
        }
    }

    deinit {
        if attacker.isRunning { attacker.terminate() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static let registration = """
        {"bundleID": "org.example.Worst", "name": "Worst", "executables": [], "entitlements": {
        "com.apple.developer.associated-domains": ["webcredentials:worst.example.com", "webcredentials:*.worst.example.com"],
        "com.apple.developer.authentication-services.autofill-credential-provider": true}}
        """

    private static let prompter = """
        #!/bin/sh
        echo 'OK Pleased to meet you'
        while IFS= read -r line; do
          case "$line" in
          SETDESC*) asked=$line; echo OK ;;
          CONFIRM*) case "$asked" in *org.example.Shop*) echo OK ;; *) echo 'ERR 83886179 cancelled' ;; esac ;;
          GETPIN) echo 'ERR 83886179 cancelled' ;;
          *) echo OK ;;
          esac
        done

        """

    /// Starts the other app, and waits until it has begun.
    func attack(seconds: Int) throws -> Process {
        (attacker, output, said) = (Process(), Pipe(), Data())
        attacker.executableURL = URL(filePath: "/usr/bin/python3")
        attacker.arguments = [TestFiles.root + "Tests/Benchmarks/worst_app.py", daemon.socket, "all", "\(seconds)"]
        attacker.standardOutput = output
        try attacker.run()
        // Its first line states how many connections it has. On a busy machine its last line may follow at once.
        while true {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty)
            said += more
            guard let end = said.firstIndex(of: 0x0A) else { continue }
            said = Data(said[(end + 1)...])
            return attacker
        }
    }

    /// How many of its requests were answered, once it has ended.
    func answeredByAttacker() throws -> Int {
        said += try output.fileHandleForReading.readToEnd() ?? Data()
        return try #require(try JSONSerialization.jsonObject(with: said) as? [String: Int])["answered"] ?? 0
    }

    /// The daemon's memory once it is at most a limit, or after two minutes.
    func residentKibibytes(fallingTo limit: Int) -> Int {
        let deadline = Date(timeIntervalSinceNow: 120)
        while daemon.residentKibibytes > limit, Date() < deadline { usleep(50_000) }
        return daemon.residentKibibytes
    }

    /// How many gets of the one app are in the release log.
    func gets() throws -> Int {
        var count = 0
        var parameters: [String: Any] = ["limit": 500, "proof": Examples.proof]
        while true {
            let page = try #require(try user.call("admin.release.list", parameters).result)
            count += try #require(page["releases"] as? [[String: Any]]).count { release in
                release["bundleID"] as? String == "org.example.Shop" && release["method"] as? String == "credential.get"
                    && !(release["refused"] is String)
            }
            guard let next = page["next"] as? String else { return count }
            parameters["cursor"] = next
        }
    }
}
