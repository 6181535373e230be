// SPDX-License-Identifier: Apache-2.0
import Foundation
import Prompting
import SecretMemory
import Testing

/// A folder of its own with a program in it that speaks Assuan, and what it was told.
final class TestPrompter {
    let folder: String
    var path: String { "\(folder)/prompter" }
    var log: String { "\(folder)/log" }

    /// - Parameter answers: of a shell's `case "$line" in`, before those that say OK to all else.
    init(_ answers: String, greeting: String = "echo 'OK Pleased to meet you'") throws {
        var template = Array("/tmp/autofill-prompter-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
        folder = String(cString: try #require(mkdtemp(&template)))
        let script = """
            #!/bin/sh
            log=\(folder)/log
            \(greeting)
            while IFS= read -r line; do
              printf '%s\\n' "$line" >>"$log"
              case "$line" in
              \(answers)
              'GETINFO flavor') echo 'D test'; echo OK ;;
              *) echo OK ;;
              esac
            done
            """
        try Data(script.utf8).write(to: URL(filePath: "\(folder)/script"))
        // By a process of its own: what another test's child holds open for writing cannot be run (ETXTBSY).
        let copy = Process()
        copy.executableURL = URL(filePath: "/usr/bin/install")
        copy.arguments = ["-m", "755", "\(folder)/script", path]
        try copy.run()
        copy.waitUntilExit()
        try #require(copy.terminationStatus == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The lines that it was sent.
    var lines: [String] {
        (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    var prompter: Prompter {
        Prompter(path: path, isTrusted: { _ in true }, surroundings: { PromptSurroundings(session: ["DISPLAY": ":7"]) })
    }

    /// Waits until it has written a line that begins so.
    func awaitLine(_ start: String) throws {
        let deadline = Date(timeIntervalSinceNow: 30)
        while Date() < deadline {
            if lines.contains(where: { $0.hasPrefix(start) }) { return }
            usleep(2000)
        }
        Issue.record("it was never told \(start)")
    }
}

extension Prompt {
    static let question = Prompt(
        title: "Password AutoFill", description: "May it?\nProgram: /usr/bin/50%",
        kind: .confirm(yes: "Allow", no: "Do not allow"))
    static let secret = Prompt(title: "Password AutoFill", description: "Unlock", kind: .passphrase(error: "Wrong."))
}

extension PromptOutcome {
    /// In one word, and the passphrase in clear.
    var word: String {
        switch self {
        case .confirmed: "confirmed"
        case .passphrase(let secret): "passphrase " + secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        case .declined: "declined"
        case .timedOut: "timed out"
        case .withdrawn: "withdrawn"
        case .unavailable: "unavailable"
        }
    }
}
