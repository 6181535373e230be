// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import Credentials
internal import Settings

/// Methods about a connection, and about the daemon as a whole.
struct SessionMethods: MethodArea {
    let views: SessionViews
    /// For `hello`, which waits for files.
    let apps: AppDirectory
    let associations: SiteAssociations
    private let events: EventHub
    private let attachment: PrompterAttachment
    private let terminals: TerminalProofs

    init(
        _ views: SessionViews, _ apps: AppDirectory, _ associations: SiteAssociations, _ events: EventHub,
        _ attachment: PrompterAttachment, _ terminals: TerminalProofs
    ) {
        self.views = views
        self.apps = apps
        self.associations = associations
        self.events = events
        self.attachment = attachment
        self.terminals = terminals
    }

    func effects(for request: RequestContext) -> SessionEffects {
        SessionEffects(
            events: EventSubscription(events, request), attachment: attachment, terminals: terminals)
    }
}

struct SessionViews {
    let settings: SettingReader
    let status: StatusReader
    let policy: PolicyFacts
    let sites: Sites
    let releases: ReleaseReader
}

struct SessionEffects {
    let events: EventSubscription
    let attachment: PrompterAttachment
    let terminals: TerminalProofs
}
