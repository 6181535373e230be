// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A daemon with a user who allows the one app and, after a second, nothing to others; and the other app.
final class WorstAppStage {
    static let app = "org.example.Worst"
    /// Requests what the user saved: no app is allowed permanently.
    static let asked = Lines.get("asked.\(BenchmarkEnvironment.service)", "ann")

    let environment: BenchmarkEnvironment
    let daemon: Server
    /// Root's, as a prompter's has to be.
    private let folder: String
    private let way: String

    init(_ environment: BenchmarkEnvironment, _ way: String) throws {
        self.environment = environment
        self.way = way
        folder = "/run/af-bench-\(getpid())-\(way)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try environment.register(Self.app, "worst.example.com")
        let prompter = "\(folder)/prompter"
        try Self.prompter.write(toFile: prompter, atomically: false, encoding: .utf8)
        try #"{"siteAssociation": "advisory", "prompters": ["\#(prompter)"]}"#.write(
            toFile: "\(folder)/system.json", atomically: false, encoding: .utf8)
        try #"{"prompter": "\#(prompter)"}"#.write(
            toFile: "\(folder)/settings.json", atomically: false, encoding: .utf8)
        guard chmod(prompter, 0o755) == 0 else { throw BenchmarkFault("\(prompter): it cannot be made a program") }
        let vault = "\(environment.folder)/vault-\(way)"
        try environment.makeVault(vault, size: 100)
        daemon = try environment.start(
            on: vault, ["--settings", "\(folder)/settings.json", "--system-settings", "\(folder)/system.json"],
            environment: ["DISPLAY": ":77", "FLATPAK_USER_DIR": "\(folder)/flatpak"])
        let user = try environment.client(of: daemon)
        try user.exchange(Lines.saveForUser("ann", at: "asked.\(BenchmarkEnvironment.service)"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Allows the app its requests, once each time; nothing to any other.
    private static let prompter = """
        #!/bin/sh
        echo 'OK Pleased to meet you'
        while IFS= read -r line; do
          case "$line" in
          SETDESC*) asked=$line; echo OK ;;
          CONFIRM*)
            case "$asked" in
            *'without asking again'*) echo 'ERR 83886194 not confirmed' ;;
            *\(BenchmarkEnvironment.app)*) echo OK ;;
            *) sleep 1; echo 'ERR 83886179 cancelled' ;;
            esac ;;
          GETPIN) sleep 1; echo 'ERR 83886179 cancelled' ;;
          *) echo OK ;;
          esac
        done

        """

    // MARK: - The attacker

    /// Starts the attacker, and waits until it is at it.
    func attack(for seconds: Double) throws -> Attacker {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let script = root.appending(path: "worst_app.py").path(percentEncoded: false)
        return try Attacker(sandbox() + ["/usr/bin/python3", script, daemon.socket, way, "\(seconds)"])
    }

    /// A bubblewrap of the shape of a Flatpak that was deployed in the folder.
    private func sandbox() throws -> [String] {
        let files = "\(folder)/flatpak/app/\(Self.app)/x86_64/stable/abc/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        let info =
            "[Application]\nname=\(Self.app)\nruntime=runtime/org.example.Platform/x86_64/1\n\n"
            + "[Instance]\ninstance-id=1\napp-path=\(files)\napp-commit=abc\n"
        try info.write(toFile: "\(folder)/info", atomically: false, encoding: .utf8)
        var command = ["/usr/bin/bwrap", "--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent"]
        for name in try FileManager.default.contentsOfDirectory(atPath: "/")
        where !["proc", "dev", "sys", "app"].contains(name) {
            command += ["--ro-bind", "/\(name)", "/\(name)"]
        }
        return command + ["--ro-bind", files, "/app", "--ro-bind", "\(folder)/info", "/.flatpak-info"]
    }

    // MARK: - The record

    /// How many of so many releases to the app are not on record.
    func releasesMissing(of count: Int) throws -> Int {
        let user = try environment.client(of: daemon)
        var found = 0
        var cursor: String?
        repeat {
            let answer = try user.answer(Lines.releases(after: cursor))
            let result = (try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])?["result"]
            guard let page = result as? [String: Any], let releases = page["releases"] as? [[String: Any]] else {
                throw BenchmarkFault(answer)
            }
            found += releases.count { release in
                release["bundleID"] as? String == BenchmarkEnvironment.app
                    && release["method"] as? String == "credential.get"
                    && !(release["refused"] is String)
            }
            cursor = page["next"] as? String
        } while cursor != nil
        return count - found
    }
}

/// The attacker's process.
final class Attacker {
    private let process = Process()
    private let output = Pipe()

    init(_ command: [String]) throws {
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = output
        try process.run()
        // Its first line is its number of connections.
        guard !output.fileHandleForReading.availableData.isEmpty else { throw BenchmarkFault("no attacker") }
    }

    /// Waits for its end; how many of its requests were answered, and how many of these refused.
    func end() throws -> (answered: Int, refused: Int) {
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard let counts = try JSONSerialization.jsonObject(with: printed) as? [String: Int] else {
            throw BenchmarkFault("the attacker failed")
        }
        return (counts["answered"] ?? 0, counts["refused"] ?? 0)
    }
}
