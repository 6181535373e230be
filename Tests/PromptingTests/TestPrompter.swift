// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import EventLoop
import Foundation
import TestGround
import Testing

/// A folder of its own with a program in it that speaks Assuan, and the lines that it received.
final class TestPrompter {
    private let directory: TemporaryDirectory
    var folder: String { directory.path }
    var path: String { "\(folder)/prompter" }
    var log: String { "\(folder)/log" }

    /// - Parameter answers: of a shell's `case "$line" in`, before those that answer OK to all else.
    init(_ answers: String, greeting: String = "echo 'OK Pleased to meet you'") throws {
        directory = try TemporaryDirectory()
        let script = """
            #!/bin/sh
            log=\(directory.path)/log
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
        try directory.write("script", script)
        // By another process: a file that another test's child has open for writing cannot be executed (ETXTBSY).
        let copy = Process()
        copy.executableURL = URL(filePath: "/usr/bin/install")
        copy.arguments = ["-m", "755", "\(folder)/script", path]
        try copy.run()
        copy.waitUntilExit()
        try #require(copy.terminationStatus == 0)
    }

    /// The lines that it was sent, and what else it has written there.
    var lines: [String] { Self.lines(log) }

    /// Numbers that it has written into a file beside its log, once they are whole.
    func numbers(_ name: String) -> [Int32] {
        let text = (try? String(contentsOfFile: "\(log).\(name)", encoding: .utf8)) ?? ""
        return text.hasSuffix("\n") ? text.split(separator: "\n").compactMap { Int32($0) } : []
    }

    /// Runs the loop until the program has written what is waited for.
    func run(_ stage: Stage, until condition: () -> Bool) throws {
        let written = try InotifySource(on: stage.loop, path: folder, events: [.modified, .created]) { _, _ in }
        let holds = try stage.loop.run(until: condition, patience: .seconds(60))
        withExtendedLifetime(written) { #expect(holds, "it never wrote that, but \(lines)") }
    }

    func awaitLine(_ start: String, on stage: Stage) throws {
        try run(stage) { lines.contains { $0.hasPrefix(start) } }
    }

    static func lines(_ file: String) -> [String] {
        (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }
}

/// Reports once a process has ended, whether something waits for it or not.
final class ProcessWatch {
    private let descriptor: Int32
    private var source: IOSource?
    private(set) var hasEnded = false

    init(_ process: Int32, on stage: Stage) throws {
        descriptor = af_pidfd_open(process)
        try #require(descriptor >= 0, "\(process) is not there")
        source = try IOSource(on: stage.loop, descriptor: descriptor, events: .readable) { [unowned self] _ in
            hasEnded = true
            source?.isEnabled = false
        }
    }

    deinit {
        source = nil
        if descriptor >= 0 { af_close(descriptor) }
    }
}
