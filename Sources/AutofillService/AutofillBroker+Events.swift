// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import PeerIdentity
internal import Settings

/// Events: who gets which, and how they leave.
extension AutofillBroker {
    /// Has the connection told from now on. May be repeated; it then gives the state anew.
    func subscribe(_ call: EventSubscribe, _ client: Client) throws(RefusedRequest) -> EventSubscribe.Answer {
        if client.events == nil {
            client.events = EventQueue()
            subscribers.insert(client.id)
        }
        return EventSubscribe.Answer(
            epoch: epoch, sequence: client.events?.sequence ?? 0, at: now.description, vault: vault.word,
            settings: appSettings(of: client))
    }

    /// Tells those who subscribed and may know. Events leave at the end of the turn, after the answers of the turn, in the
    /// order in which they are announced.
    package func announce(_ event: ServiceEvent) {
        guard !subscribers.isEmpty else { return }
        let time = now.description
        for id in subscribers {
            guard let client = clients[id], let content = content(of: event, for: client) else { continue }
            let cause = acting.flatMap { $0.client == id ? $0.request : nil }
            client.events?.append(at: time) { sequence in
                EventNotice(content, epoch: epoch, sequence: sequence, at: time, causedBy: cause)
            }
            sendEvents(to: client)
        }
    }

    /// Tells the broker whether a client takes what it is sent. While it does not its events wait, up to a limit.
    package func setTaking(_ isTaking: Bool, _ id: ClientID) {
        guard let client = clients[id], client.events != nil else { return }
        client.events?.isBlocked = !isTaking
        if isTaking { sendEvents(to: client) }
    }

    private func sendEvents(to client: Client) {
        guard let events = client.events, !events.isBlocked, !events.isLeaving, !events.isEmpty else { return }
        client.events?.isLeaving = true
        deliver(to: client.id) { [unowned self, weak client] writer in
            client?.events?.isLeaving = false
            guard let client, client.events?.isBlocked == false else { return nil }
            for notice in client.events?.takeAll(epoch: epoch) ?? [] { writer.notify(notice) }
            return nil
        }
    }

    /// What the client may know of it; nil for nothing. An app learns what concerns itself and its own services. Whoever
    /// greets as `autofillctl`, which proves nothing, learns that something changed, and names no app and no site.
    private func content(of event: ServiceEvent, for client: Client) -> EventNotice.Content? {
        let isCommandLine = isCommandLine(client)
        switch event {
        case .vaultLocked(let cause): return .vaultLocked(cause: cause.rawValue)
        case .vaultUnlocked: return .vaultUnlocked
        case .settingsChanged(let names, let before):
            let settings = appSettings(of: client)
            if isCommandLine { return .settingsChanged(settings, changed: names) }
            return settings == appSettings(of: client, in: before) ? nil : .settingsChanged(settings, changed: nil)
        case .credentialsChanged(let id, let service, let change):
            if isCommandLine { return .credentialsChanged(service: nil, credential: nil, change: nil) }
            guard serves(client, service) else { return nil }
            return .credentialsChanged(
                service: ServiceIdentifier(type: service.kind.rawValue, value: service.value),
                credential: id.description, change: change.rawValue)
        case .allCredentialsChanged:
            guard isCommandLine || isApp(client) else { return nil }
            return .credentialsChanged(service: nil, credential: nil, change: nil)
        case .loginStatusChanged(let app, let isSignedIn):
            return isItself(client, app) ? .loginStatusChanged(isSignedIn: isSignedIn) : nil
        case .associationChanged(let service):
            if isCommandLine { return .associationChanged(service: nil) }
            guard serves(client, service) else { return nil }
            return .associationChanged(
                service: ServiceIdentifier(type: service.kind.rawValue, value: service.value))
        }
    }

    /// Whether no evidence contradicts what app it says it is.
    private func isApp(_ client: Client) -> Bool {
        if case .success? = client.app?.identity { true } else { false }
    }

    /// Whether the client is the app of this bundle ID, and no evidence contradicts it.
    private func isItself(_ client: Client, _ bundleID: String) -> Bool {
        guard let app = client.app, case .success = app.identity else { return false }
        return app.bundleID.text == bundleID
    }

    /// Whether the service is one of the app's own: among its associated domains, as it is registered now.
    private func serves(_ client: Client, _ service: Service) -> Bool {
        guard case .success? = client.app?.identity else { return false }
        if let known = client.serves[service], known.generation == generation { return known.answer }
        let registration = registration(of: client)
        let name = try? DomainName(service.value)
        // A site that speaks for a wildcard need not be covered by it.
        let answer =
            registration?.entitlements.associatedDomains.contains { entry in
                name.map { entry.covers($0) || entry.domain == $0 } ?? false
            } ?? false
        if client.serves.count >= 64 { client.serves.removeAll() }
        client.serves[service] = (generation, answer)
        return answer
    }
}
