// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc

/// The service's entries in the journal, read by journalctl(1).
enum Journal {
    /// Why it cannot be read.
    struct Absence: Error, Hashable {
        let text: String
    }

    /// The entries about an app, the oldest first.
    static func entries(
        since start: LogTime?, _ environment: ProcessEnvironment = .current
    ) throws(Absence) -> [LogEntry] {
        var arguments: [String] = []
        if let start { arguments.append("--since=@\(start.milliseconds / 1000)") }
        var entries: [LogEntry] = []
        try run(arguments, environment) { entries.append($0) }
        return entries.filter { entry in start.map { entry.at >= $0.text } ?? true }
    }

    /// Passes new entries to `body`, until the journal ends.
    static func follow(
        _ environment: ProcessEnvironment = .current, _ body: (LogEntry) -> Void
    ) throws(Absence) {
        try run(["--follow", "--lines=0"], environment, body)
    }

    private static func run(
        _ arguments: [String], _ environment: ProcessEnvironment, _ body: (LogEntry) -> Void
    ) throws(Absence) {
        let program = try program(environment)
        let (output, errors): (OutputLines, OutputLines)
        let child: Int32
        do throws(ChildProcess.StartFailure) {
            (output, errors) = (try OutputLines(), try OutputLines())
            child = try ChildProcess.start(
                program,
                ["--output=json", "--no-pager"] + arguments
                    + ["_UID=\(geteuid())", "_SYSTEMD_USER_UNIT=autofilld.service"],
                environment: environment.variables,
                files: [
                    (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)),
                    (STDOUT_FILENO, .descriptor(output.writingEnd)), (STDERR_FILENO, .descriptor(errors.writingEnd)),
                ])
        } catch {
            throw Absence(text: error.text)
        }
        output.closeWritingEnd()
        errors.closeWritingEnd()
        var isOpen = true
        while isOpen {
            isOpen = output.waitForMore(or: -1, until: .now + .seconds(3600)) || !output.hasEnded
            for line in output.newLines() { if let entry = LogEntry(journal: line) { body(entry) } }
        }
        let status = ChildProcess.wait(for: child)
        while errors.read() {}
        let lines = errors.newLines()
        let refusal = lines.first { $0.hasPrefix("No journal files") }
        guard status == 0, refusal == nil else {
            throw Absence(text: refusal ?? lines.last ?? "journalctl failed")
        }
    }

    private static func program(_ environment: ProcessEnvironment) throws(Absence) -> String {
        for directory in (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
            let path = directory + "/journalctl"
            if access(String(path), X_OK) == 0 { return String(path) }
        }
        throw Absence(text: "journalctl is not installed")
    }
}

extension LogEntry {
    /// An entry as `journalctl --output=json` writes it; nil for one that is not about an app.
    init?(journal line: String) {
        let entry = try? Array(line.utf8).withUnsafeBufferPointer { text throws(JSONError) -> LogEntry? in
            var scanner = JSONScanner(maximumDepth: 8)
            return try scanner.scan(UnsafeRawBufferPointer(text)) { value throws(JSONError) in Self.entry(value) }
        }
        guard let entry else { return nil }
        self = entry
    }

    private static func entry(_ value: JSONValue) -> LogEntry? {
        var members = MemberReader(value)
        // A field that is not one text (several values, bytes that are not UTF-8) is not ours.
        func text(_ name: StaticString) -> String? { try? members.optionalString(name, bytes: 0...16384) ?? nil }
        guard let bundleID = text("AUTOFILL_BUNDLE_ID"), let method = text("AUTOFILL_METHOD"),
            let microseconds = text("__REALTIME_TIMESTAMP").flatMap({ Int64($0) })
        else { return nil }
        return LogEntry(
            at: LogTime(milliseconds: microseconds / 1000).text, bundleID: bundleID, method: method,
            domain: text("AUTOFILL_DOMAIN"), refused: text("AUTOFILL_REASON"), fix: text("AUTOFILL_FIX"),
            assurance: text("AUTOFILL_ASSURANCE") ?? "none",
            process: text("AUTOFILL_PEER_PID").flatMap { Int($0) } ?? 0,
            executable: text("AUTOFILL_PEER_EXE") ?? "")
    }
}
