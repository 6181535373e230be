// SPDX-License-Identifier: Apache-2.0
internal import Settings

/// Reports settings that were changed, to the journal and to subscribers.
package struct SettingsAnnouncer {
    private let journal: Journal
    private let events: EventHub

    package init(_ audit: Audit, _ events: EventHub) { (journal, self.events) = (audit.journal, events) }

    package func announce(_ change: SettingsChange?, causedBy request: RequestContext? = nil) {
        guard let change else { return }
        journal.log(.notice, "[AutoFill] Settings changed", settings: change.names.joined(separator: " "))
        events.announce(.settingsChanged(change.names, before: change.before), causedBy: request)
    }
}
