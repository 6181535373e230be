// SPDX-License-Identifier: Apache-2.0
internal import AutofillService
internal import CredentialStorage
internal import Reasons
internal import Systemd

extension JournalEntry {
    /// A broker's event with its fields: MESSAGE_ID and AUTOFILL_REASON name the reason, AUTOFILL_FIX mends it.
    init(_ event: JournalEvent) {
        var fields: [JournalField] = []
        func add(_ name: JournalFieldName, _ value: String?) {
            if let value { fields.append(JournalField(name, value)) }
        }
        add(.reason, event.refusal?.reason.rawValue)
        add(.bundleID, event.asker?.bundleID)
        add(.domain, event.domain)
        add(.fix, event.refusal?.fixForJournal)
        add(.method, event.method)
        add(.assurance, event.asker?.assurance)
        add(.peerProcess, event.asker.map { String($0.processID) })
        add(.peerExecutable, event.asker?.executable)
        add(.peerUnit, event.asker?.unit)
        if event.leftOut > 0, let name = JournalFieldName("AUTOFILL_LEFT_OUT") { add(name, String(event.leftOut)) }
        let priority: JournalPriority = event.refusal.map { $0.reason.isFault ? .error : .notice } ?? .info
        self.init(
            message: event.message, priority: priority, messageID: event.refusal?.reason.messageID, fields: fields)
    }

    /// Something that went wrong on this side.
    init(fault: any Error) {
        let text = (fault as? VaultError)?.refusal.reason.message ?? (fault as? SettingsNotReloaded)?.description
        self.init(
            message: "[AutoFill] Fault: \(text ?? String(describing: type(of: fault)))", priority: .error,
            messageID: Reason.internalFault.messageID, fields: [])
    }
}

/// The settings file has mistakes; the settings in force stay.
struct SettingsNotReloaded: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "the settings in \(path) have mistakes and were not taken over; run autofilld --settings \(path) to see them"
    }
}
