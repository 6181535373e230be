// SPDX-License-Identifier: Apache-2.0
import Foundation
import Systemd
import Testing

private let missingAssociation =
    "[AutoFill] Cannot show Automatic Strong Passwords for app bundleID: org.example.Shop due to error: Cannot save "
    + "passwords for this app. Make sure you have set up Associated Domains for your app and AutoFill Passwords is enabled "
    + "in Settings"
private let messageID = "0123456789abcdef0123456789abcdef"

@Suite struct JournalWriterTests {
    @Test("An entry is one datagram, the message byte for byte, the fields in order")
    func entry() throws {
        let journal = try DatagramListener()
        let writer = JournalWriter(output: .journal(socket: journal.path))
        writer.write(
            JournalEntry(
                message: missingAssociation, priority: .notice, messageID: messageID,
                fields: [JournalField(.reason, "domain-not-associated"), JournalField(.bundleID, "org.example.Shop")]))
        #expect(
            try journal.next()
                == "MESSAGE=\(missingAssociation)\nPRIORITY=5\nSYSLOG_IDENTIFIER=autofilld\nMESSAGE_ID=\(messageID)\n"
                + "AUTOFILL_REASON=domain-not-associated\nAUTOFILL_BUNDLE_ID=org.example.Shop\n")
    }

    @Test("No value can add a field, a line or a change of direction")
    func forgery() throws {
        let journal = try DatagramListener()
        let writer = JournalWriter(output: .journal(socket: journal.path))
        let value = "a\nPRIORITY=0\r\u{2028}b\u{202E}c\u{0}d\u{1B}[2J"
        writer.write(JournalEntry(message: value, priority: .error, fields: [JournalField(.peerExecutable, value)]))
        let escaped = #"a\u{A}PRIORITY=0\u{D}\u{2028}b\u{202E}c\u{0}d\u{1B}[2J"#
        #expect(
            try journal.next()
                == "MESSAGE=\(escaped)\nPRIORITY=3\nSYSLOG_IDENTIFIER=autofilld\nAUTOFILL_PEER_EXE=\(escaped)\n")
    }

    @Test("A long value is cut, and the entry is still written")
    func longValue() throws {
        let journal = try DatagramListener()
        JournalWriter(output: .journal(socket: journal.path)).write(
            JournalEntry(
                message: "long", priority: .debug, fields: [JournalField(.fix, String(repeating: "ä", count: 100_000))])
        )
        let datagram = try journal.next()
        #expect(datagram.hasSuffix("ä…\n"))
        #expect(datagram.utf8.count < 5000)
    }

    @Test(
        "A field's name is ours and accepted by the journal",
        arguments: ["AUTOFILL_X1_Y", "AUTOFILL_reason", "MESSAGE", "AUTOFILL_A=B", "AUTOFILL_\n"])
    func names(name: String) {
        #expect((JournalFieldName(name) != nil) == (name == "AUTOFILL_X1_Y"))
    }

    @Test("A journal that does not read blocks nothing, and the number of lost entries is announced")
    func fullJournal() throws {
        let journal = try DatagramListener()
        let writer = JournalWriter(output: .journal(socket: journal.path))
        for number in 0..<5000 { writer.write(JournalEntry(message: "\(number)", priority: .notice)) }
        var received = 0
        while journal.arrived() != nil { received += 1 }
        try #require(received > 0 && received < 5000)
        writer.write(JournalEntry(message: "after", priority: .notice))
        #expect(
            try journal.next().hasPrefix("MESSAGE=Entries before this one were lost: \(5000 - received).\nPRIORITY=4\n")
        )
        #expect(try journal.next().hasPrefix("MESSAGE=after\n"))
        #expect(journal.arrived() == nil)
    }

    @Test("Standard error gets the same line where it is no stream of the journal's")
    func standardError() throws {
        let environment = ServiceEnvironment(variables: ["JOURNAL_STREAM": "1:2"])
        #expect(environment.journalOutput == .standardError)
        let (status, output) = try run(
            testProgram(filter: "StandardErrorChild"), environment: ["AUTOFILL_STANDARD_ERROR_CHILD": "1"])
        #expect(status == 0)
        #expect(output.split(separator: "\n").contains(missingAssociation[...]))
    }
}

/// Runs in a process whose standard error is a file.
@Suite(.enabled(if: getenv("AUTOFILL_STANDARD_ERROR_CHILD") != nil, "runs within another test"))
struct StandardErrorChild {
    @Test("The line is written") func line() {
        let output = ServiceEnvironment.ofThisProcess().journalOutput
        JournalWriter(output: output).write(JournalEntry(message: missingAssociation, priority: .notice))
    }
}
