// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Systemd
import Testing

/// The module against a real systemd, its user manager and its journal, in throwaway namespaces.
@Suite struct UnderSystemdTests {
    static let box = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "box").path

    @Test(
        "As a notify service of a user manager it gets ready, and its entry is in the journal with all fields",
        .enabled(if: geteuid() == 0, "needs root, to boot Tests/box"))
    func userService() throws {
        let program = testProgram(filter: "UserServiceChild").map { "'\($0)'" }.joined(separator: " ")
        let script = """
            systemd-run --user --wait --quiet -p Type=notify -p WatchdogSec=60 --unit=autofill-probe \
            -E AUTOFILL_USER_SERVICE_CHILD=1 \(program) || journalctl --user -u autofill-probe
            # A user cannot ask the journal to write what it has received.
            until journalctl --user -o cat AUTOFILL_REASON=domain-not-associated | grep -q .; do sleep 0.1; done
            journalctl --user -o json AUTOFILL_REASON=domain-not-associated
            journalctl --user -o cat -u autofill-probe
            """
        let (status, output) = try run([Self.box, "--chdir", "/", "--", "bash", "-c", script])
        try #require(status != 126, "the box cannot start here: \(output)")
        let entry = try #require(output.split(separator: "\n").first { $0.contains("AUTOFILL_REASON") }, "\(output)")
        let fields = try #require(JSONSerialization.jsonObject(with: Data(entry.utf8)) as? [String: Any])
        #expect(fields["MESSAGE"] as? String == "A line from the box")
        #expect(fields["PRIORITY"] as? String == "5")
        #expect(fields["MESSAGE_ID"] as? String == "0123456789abcdef0123456789abcdef")
        #expect(fields["SYSLOG_IDENTIFIER"] as? String == "autofilld")
        #expect(fields["AUTOFILL_FIX"] as? String == #"one\u{A}two"#)
        #expect(fields["_SYSTEMD_USER_UNIT"] as? String == "autofill-probe.service")
    }
}

/// What runs as a service in the box.
@Suite(.enabled(if: getenv("AUTOFILL_USER_SERVICE_CHILD") != nil, "runs within another test"))
struct UserServiceChild {
    @Test("The manager listens, watches, and has the journal at standard error") func service() throws {
        let environment = ServiceEnvironment.ofThisProcess()
        #expect(environment.watchdogInterval == .seconds(60))
        #expect(environment.journalOutput == .journal(socket: JournalOutput.systemSocket))
        let notifier = environment.notifier(on: try EventLoop())
        notifier.ready(status: "Ready.")
        notifier.feedWatchdog()
        JournalWriter(output: environment.journalOutput).write(
            JournalEntry(
                message: "A line from the box", priority: .notice, messageID: "0123456789abcdef0123456789abcdef",
                fields: [JournalField(.reason, "domain-not-associated"), JournalField(.fix, "one\ntwo")]))
        notifier.stopping(status: "Done.")
    }
}
