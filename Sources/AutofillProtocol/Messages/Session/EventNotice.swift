// SPDX-License-Identifier: Apache-2.0

/// The notification `event`, for one connection.
package struct EventNotice: Message, Hashable {
    /// The names on the wire. `eventsLost` replaces events that a slow reader did not receive.
    package enum Kind: String, CaseIterable, Sendable {
        case loginStatusChanged, credentialsChanged, vaultLocked, vaultUnlocked, settingsChanged, associationChanged
        case eventsLost
    }

    /// The content, as far as this connection may know.
    package enum Content: Hashable, Sendable {
        case loginStatusChanged(isSignedIn: Bool)
        /// Without service and credential for an app that has no service of its own.
        case credentialsChanged(service: ServiceIdentifier?, credential: String?, change: String?)
        /// `request`, `idle`, `session` or `sleep`.
        case vaultLocked(cause: String)
        case vaultUnlocked
        /// The state, and for `autofillctl` the names of what changed.
        case settingsChanged(AppSettings, changed: [String]?)
        case associationChanged(service: ServiceIdentifier?)
        /// The sequence numbers of the first and the last one that was lost.
        case eventsLost(from: Int, to: Int)
    }

    package let content: Content
    package let epoch: String
    /// Counted for each connection, from 1.
    package let sequence: Int
    package let at: String
    /// The id of the request of this connection that caused it.
    package let causedBy: RequestID?

    package init(_ content: Content, epoch: String, sequence: Int, at: String, causedBy: RequestID?) {
        (self.content, self.epoch, self.sequence, self.at, self.causedBy) = (content, epoch, sequence, at, causedBy)
    }
}

extension EventNotice {
    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let kind = try field.variant("type", \.content.kind, "The type of the event.")
        let epoch = try field("epoch", \.epoch, .string(1...64), "Another one after each start of the daemon.")
        let sequence = try field(
            "sequence", \.sequence, .integer(1...Int.max), "Counted for each connection, from 1, none left out.")
        let at = try field("at", \.at, .instant, "When it happened.")
        let causedBy = try field(
            optional: "causedBy", \.causedBy, .requestID,
            "The request of this connection that caused it.")
        return Self(
            try Content.fields(of: kind, &field), epoch: epoch, sequence: sequence, at: at, causedBy: causedBy)
    }
}

extension EventNotice.Content {
    /// The members that belong to the kind.
    fileprivate static func fields(
        of kind: EventNotice.Kind, _ field: inout some FieldVisitor<EventNotice>
    ) throws(ProtocolProblem) -> Self {
        switch kind {
        case .loginStatusChanged:
            .loginStatusChanged(
                isSignedIn: try field("signedIn", \.content.isSignedIn, .boolean, "Whether a user is signed in."))
        case .credentialsChanged:
            .credentialsChanged(
                service: try field(
                    optional: "service", \.content.service, .object(), "The site, if it is the app's."),
                credential: try field(
                    optional: "credential", \.content.change.credential, .id, "The credential, if it is the app's."),
                change: try field(
                    optional: "change", \.content.change.name, .word(Words.credentialChanges, 1...32),
                    "Whether it was saved or deleted."))
        case .vaultLocked:
            .vaultLocked(
                cause: try field("cause", \.content.cause, .word(Words.lockCauses, 1...32), "What locked it."))
        case .vaultUnlocked: .vaultUnlocked
        case .settingsChanged:
            .settingsChanged(
                try field("settings", \.content.settings, .object(), "As they are now."),
                changed: try field(
                    optional: "changed", \.content.changedSettings, .strings(), "The names, for `autofillctl`."))
        case .associationChanged:
            .associationChanged(
                service: try field(
                    optional: "service", \.content.service, .object(), "The site, if it is the app's."))
        case .eventsLost:
            .eventsLost(
                from: try field("from", \.content.lost.from, .integer(1...Int.max), "The first that was lost."),
                to: try field("to", \.content.lost.to, .integer(1...Int.max), "The last that was lost."))
        }
    }

    // What one kind has, for the fields of that kind alone.
    private var isSignedIn: Bool { if case .loginStatusChanged(let isSignedIn) = self { isSignedIn } else { false } }
    private var cause: String { if case .vaultLocked(let cause) = self { cause } else { "" } }
    private var lost: (from: Int, to: Int) {
        if case .eventsLost(let from, let to) = self { (from, to) } else { (1, 1) }
    }
    private var settings: AppSettings {
        if case .settingsChanged(let settings, _) = self { return settings }
        return AppSettings(keychain: false, autoFill: false, strongPasswords: false)
    }
    private var changedSettings: [String]? { if case .settingsChanged(_, let changed) = self { changed } else { nil } }
    private var change: (credential: String?, name: String?) {
        if case .credentialsChanged(_, let credential, let change) = self { (credential, change) } else { (nil, nil) }
    }
    private var service: ServiceIdentifier? {
        switch self {
        case .credentialsChanged(let service, _, _), .associationChanged(let service): service
        default: nil
        }
    }
}

extension EventNotice.Content {
    package var kind: EventNotice.Kind {
        switch self {
        case .loginStatusChanged: .loginStatusChanged
        case .credentialsChanged: .credentialsChanged
        case .vaultLocked: .vaultLocked
        case .vaultUnlocked: .vaultUnlocked
        case .settingsChanged: .settingsChanged
        case .associationChanged: .associationChanged
        case .eventsLost: .eventsLost
        }
    }
}

extension JSONWriter {
    /// `{"jsonrpc":"2.0","method":"event","params":{…}}` and the line feed.
    package mutating func notify(_ notice: EventNotice) {
        object { writer in
            writer.key("jsonrpc")
            writer.string("2.0" as StaticString)
            writer.key("method")
            writer.string("event" as StaticString)
            writer.member("params", notice)
        }
        endLine()
    }
}
