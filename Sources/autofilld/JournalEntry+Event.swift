// SPDX-License-Identifier: Apache-2.0
internal import AutofillService
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import Settings
internal import Systemd

extension JournalEntry {
    /// An event of the engine with its fields: MESSAGE_ID and AUTOFILL_REASON name the reason, AUTOFILL_FIX is the fix.
    init(_ event: JournalEvent) {
        var fields: [JournalField] = []
        func add(_ name: JournalFieldName, _ value: String?) {
            if let value { fields.append(JournalField(name, value)) }
        }
        add(.reason, event.refusal?.reason.rawValue)
        add(.bundleID, event.requester?.bundleID)
        add(.domain, event.domain)
        // With the domain where the entry names it anyway.
        let isDomainShown = event.domain != nil && event.domain == event.refusal?.parameters[.domain]
        add(.fix, isDomainShown ? event.refusal?.fix : event.refusal?.fixForJournal)
        add(.method, event.method)
        add(.assurance, event.requester?.assurance)
        add(.peerProcess, event.requester.map { String($0.processID) })
        add(.peerExecutable, event.requester?.executable)
        add(.peerUnit, event.requester?.unit)
        if event.leftOut > 0, let name = JournalFieldName("AUTOFILL_LEFT_OUT") { add(name, String(event.leftOut)) }
        if let name = JournalFieldName("AUTOFILL_SETTINGS") { add(name, event.settings) }
        self.init(
            message: event.message, priority: JournalPriority(event.level), messageID: event.refusal?.reason.messageID,
            fields: event.refusal == nil ? fields : Self.completed(fields))
    }

    /// Something that went wrong on this side.
    init(fault: any Error) {
        let text = (fault as? VaultError)?.refusal.reason.message ?? (fault as? SettingsNotReloaded)?.description
        self.init(
            message: "[AutoFill] Fault: \(text ?? String(describing: type(of: fault)))", priority: .error,
            messageID: Reason.internalFault.messageID,
            fields: Self.completed([
                JournalField(.reason, Reason.internalFault.rawValue),
                JournalField(.fix, ((fault as? VaultError)?.refusal ?? Refusal(.internalFault)).fixForJournal),
            ]))
    }

    /// With the fields that the catalog's text speaks of; the journal would print the name of one that is missing.
    private static func completed(_ fields: [JournalField]) -> [JournalField] {
        let names: [JournalFieldName] = [.bundleID, .domain, .fix, .peerProcess, .peerExecutable]
        return fields + names.filter { name in !fields.contains { $0.name == name } }.map { JournalField($0, "") }
    }
}

extension JournalPriority {
    /// A trace is the journal's debug too: it has no less.
    fileprivate init(_ level: DaemonSettings.LogLevel) {
        self =
            switch level {
            case .trace, .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
    }
}

/// The settings have mistakes; those in force stay.
struct SettingsNotReloaded: Error, CustomStringConvertible {
    let problem: ConfigurationFileProblem

    var description: String { "the settings were not taken over. \(problem)" }
}
