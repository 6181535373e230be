// SPDX-License-Identifier: Apache-2.0
/// One event for the journal: a constant message, and variable values in fields.
package struct JournalEntry: Hashable, Sendable {
    package let message: String
    package let priority: JournalPriority
    /// 32 hexadecimal digits: the same for every event of one kind, and the key into the message catalog.
    package let messageID: String?
    /// In the order in which they are written.
    package let fields: [JournalField]

    package init(
        message: String, priority: JournalPriority, messageID: String? = nil, fields: [JournalField] = []
    ) {
        self.message = message
        self.priority = priority
        self.messageID = messageID
        self.fields = fields
    }

    /// The datagram of the journal's native protocol. Each value is one line, so the plain form is sufficient.
    func datagram(identifier: String) -> [UInt8] {
        var text = "MESSAGE=\(message.onOneLine)\nPRIORITY=\(priority.rawValue)\nSYSLOG_IDENTIFIER=\(identifier)\n"
        if let messageID { text += "MESSAGE_ID=\(messageID.onOneLine)\n" }
        for field in fields { text += "\(field.name.text)=\(field.value.onOneLine)\n" }
        return Array(text.utf8)
    }
}

/// syslog(3)'s levels. A refusal that was to be expected is a notice; a fault of ours an error.
package enum JournalPriority: Int, Sendable {
    case emergency, alert, critical, error, warning, notice, info, debug
}

package struct JournalField: Hashable, Sendable {
    package let name: JournalFieldName
    package let value: String

    package init(_ name: JournalFieldName, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The name of a field: `AUTOFILL_` and capitals, digits and underscores, at most 64 bytes in all.
package struct JournalFieldName: Hashable, Sendable {
    package let text: String

    /// Nil for a name that the journal would not accept, or that is not ours to write.
    package init?(_ text: String) {
        guard text.hasPrefix("AUTOFILL_"), text.utf8.count <= 64,
            text.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
            )
        else { return nil }
        self.text = text
    }

    private init(ours suffix: StaticString) { text = "AUTOFILL_\(suffix)" }

    package static let reason = JournalFieldName(ours: "REASON")
    package static let bundleID = JournalFieldName(ours: "BUNDLE_ID")
    package static let domain = JournalFieldName(ours: "DOMAIN")
    package static let fix = JournalFieldName(ours: "FIX")
    package static let method = JournalFieldName(ours: "METHOD")
    package static let assurance = JournalFieldName(ours: "ASSURANCE")
    package static let peerProcess = JournalFieldName(ours: "PEER_PID")
    package static let peerExecutable = JournalFieldName(ours: "PEER_EXE")
    package static let peerUnit = JournalFieldName(ours: "PEER_UNIT")
}
