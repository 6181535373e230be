// SPDX-License-Identifier: Apache-2.0

/// The notification `event`: what happened, to one connection.
package struct EventNotice: WireValue, Hashable {
    /// The names of the wire; `eventsLost` stands in the place of events that a slow reader did not get.
    package enum Kind: String, CaseIterable, Sendable {
        case loginStatusChanged, credentialsChanged, vaultLocked, vaultUnlocked, settingsChanged, associationChanged
        case eventsLost
    }

    /// What happened, as far as this connection may know.
    package enum Content: Hashable, Sendable {
        case loginStatusChanged(isSignedIn: Bool)
        /// Without service and credential for whom no service is its own.
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
    /// The id of the request of this connection that brought it about.
    package let causedBy: RequestID?

    package init(_ content: Content, epoch: String, sequence: Int, at: String, causedBy: RequestID?) {
        self.content = content
        self.epoch = epoch
        self.sequence = sequence
        self.at = at
        self.causedBy = causedBy
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        let name = try members.string("type", bytes: 1...64)
        guard let kind = Kind(rawValue: name) else { throw members.missing("type", "a type of event that is known") }
        epoch = try members.string("epoch", bytes: 1...64)
        sequence = try members.integer("sequence", in: 1...Int.max)
        at = try members.string("at", bytes: 1...64)
        causedBy = try members.optionalRequestID("causedBy")
        content =
            switch kind {
            case .loginStatusChanged: .loginStatusChanged(isSignedIn: try members.bool("signedIn"))
            case .credentialsChanged:
                .credentialsChanged(
                    service: try members.optionalValue("service"),
                    credential: try members.optionalString("credential", bytes: 1...64),
                    change: try members.optionalString("change", bytes: 1...32))
            case .vaultLocked: .vaultLocked(cause: try members.string("cause", bytes: 1...32))
            case .vaultUnlocked: .vaultUnlocked
            case .settingsChanged:
                .settingsChanged(try members.value("settings"), changed: try members.optionalStrings("changed"))
            case .associationChanged: .associationChanged(service: try members.optionalValue("service"))
            case .eventsLost:
                .eventsLost(
                    from: try members.integer("from", in: 1...Int.max),
                    to: try members.integer("to", in: 1...Int.max))
            }
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("type", content.kind.rawValue)
        writer.member("epoch", epoch)
        writer.member("sequence", sequence)
        writer.member("at", at)
        if let causedBy {
            writer.key("causedBy")
            causedBy.write(to: &writer)
        }
        content.write(to: &writer)
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

    /// Writes the members that belong to the kind.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .loginStatusChanged(let isSignedIn): writer.member("signedIn", isSignedIn)
        case .credentialsChanged(let service, let credential, let change):
            if let service { writer.member("service", service) }
            if let credential { writer.member("credential", credential) }
            if let change { writer.member("change", change) }
        case .vaultLocked(let cause): writer.member("cause", cause)
        case .vaultUnlocked: break
        case .settingsChanged(let settings, let changed):
            writer.member("settings", settings)
            if let changed { writer.member("changed", changed) }
        case .associationChanged(let service):
            if let service { writer.member("service", service) }
        case .eventsLost(let from, let to):
            writer.member("from", from)
            writer.member("to", to)
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
