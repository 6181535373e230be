// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import SecretMemory
internal import Systemd

/// `org.freedesktop.impl.portal.Secret`: what xdg-desktop-portal asks for apps in sandboxes. Each has one secret, by which it seals what
/// it keeps itself. It is an item of the app that the daemon sees behind the portal, whatever name that gives it.
extension SecretBridge {
    func answerPortal(_ message: BusMessage, of caller: Caller) async throws(BusError) {
        let isDesktop = message.path == PortalRequest.desktop
        switch (message.interface(else: isDesktop ? Interface.portal : Interface.request), message.member ?? "") {
        case (Interface.introspectable, "Introspect"):
            try surroundings.bus.reply(to: message) { reply throws(BusError) in
                try reply.append(isDesktop ? Introspection.portal : Introspection.request)
            }
        case (Interface.properties, "Get") where isDesktop: try getPortalProperty(message)
        case (Interface.properties, "GetAll") where isDesktop:
            try surroundings.bus.reply(to: message) { reply throws(BusError) in
                try reply.write("a", of: "{sv}") { () throws(BusError) in try reply.append("version", .version(1)) }
            }
        case (Interface.portal, "RetrieveSecret") where isDesktop:
            try await requirePortal(caller)
            try await retrieveSecret(message, caller)
        case (Interface.request, "Close") where !isDesktop:
            guard let request = caller.requests[message.path ?? ""] else { throw .unknownObject(message.path ?? "") }
            request.task?.cancel()
            try surroundings.bus.reply(to: message)
        default: throw .unknownMethod("There is no method \(message.member ?? "")")
        }
    }

    private func getPortalProperty(_ message: BusMessage) throws(BusError) {
        guard message.has("ss") else { throw .invalid("The arguments of Get are “ss”") }
        let interface = try message.readString()
        let name = try message.readString()
        guard interface == Interface.portal, name == "version" else { throw .unknownProperty(name) }
        try surroundings.bus.reply(to: message) { reply throws(BusError) in
            try PropertyValue.version(1).append(to: reply)
        }
    }

    /// Nobody but xdg-desktop-portal says for whom it asks.
    private func requirePortal(_ caller: Caller) async throws(BusError) {
        let greeted = try await caller.keychain.greeted()
        guard greeted.app == PortalRequest.portal, greeted.assurance == "installed" else {
            surroundings.journal.warn(
                "\(greeted.app) asked for the master secret of an app, which xdg-desktop-portal alone may",
                reason: "not-permitted",
                fix: "Where it is the portal, have its executable named in the registration \(PortalRequest.portal)")
            throw .denied("Only xdg-desktop-portal asks for the master secret of an app")
        }
    }

    private func retrieveSecret(_ message: BusMessage, _ caller: Caller) async throws(BusError) {
        guard message.has("osha{sv}") else { throw .invalid("The arguments of RetrieveSecret are “osha{sv}”") }
        let handle = try message.readString(type: "o")
        let request = try PortalRequest(handle, appID: try message.readString(), on: surroundings.loop)
        let descriptor = try message.readDescriptor()
        guard caller.requests[handle] == nil else { throw .invalid("There is such a request already") }
        // Before the daemon is asked who that is: an app may have many connections to the bus, and a connection many names.
        let before = caller.requests.values.filter { $0.asker == request.asker || $0.appID == request.appID }
        guard before.count < BridgeLimits.portalRequestsPerApp else { throw .tooManyPortalRequests }
        let link = CallerLink(to: request.asker, surroundings, evidence: request.evidence) {}
        let keychain = Keychain(link, memory: memory)
        caller.requests[handle] = request
        let task = Task {
            do throws(BusError) {
                return Result<SecretBytes, BusError>.success(try await self.masterSecret(request, keychain, caller))
            } catch { return .failure(error) }
        }
        request.task = task
        let outcome = await task.value
        caller.requests[handle] = nil
        request.ended.resumeAll()
        link.end()
        switch outcome {
        case .success(let secret):
            guard SecretOutlet.write(secret, to: descriptor) else {
                throw .failed("The app does not take its secret: it is no pipe, or full")
            }
            try respond(to: message, .done)
        // Whoever closed it waits for no more than that; a person's no is in the daemon's journal.
        case .failure(let error) where task.isCancelled || error.name == BusError.isLocked("").name:
            try respond(to: message, .cancelled)
        case .failure(let error): throw error
        }
    }

    private enum Response: UInt32 { case done, cancelled }

    private func respond(to message: BusMessage, _ response: Response) throws(BusError) {
        try surroundings.bus.reply(to: message) { reply throws(BusError) in
            try reply.append(response.rawValue)
            try reply.write("a", of: "{sv}") {}
        }
    }

    /// The secret that is kept, also by another program (the person is asked), else a new one.
    private func masterSecret(
        _ request: PortalRequest, _ keychain: Keychain, _ caller: Caller
    ) async throws(BusError) -> SecretBytes {
        let app = try await keychain.greeted().app
        request.app = app
        guard caller.requests.values.count(where: { $0.app == app }) <= BridgeLimits.portalRequestsPerApp else {
            throw .tooManyPortalRequests
        }
        // Also what another portal asks: one that was started anew while the former is still on the bus.
        while let before = underWay(for: app) {
            do throws(WaitFailure) { try await before.ended.value() } catch { throw .failed("It was closed") }
        }
        request.isUnderWay = true
        if !(try await keychain.isUnlocked()) { try await keychain.unlockVault(until: nil) }
        var found = try await keychain.search(request.attributes, in: nil)
        if !found.contains(where: request.fits), found.contains(where: \.isWithheld) {
            let withheld = found.filter(\.isWithheld).map(\.id)
            found = try await keychain.request(withheld, interaction: .allow, window: nil)
            // Never a new one beside it: what the app has sealed would never open again.
            guard !found.contains(where: \.isWithheld) else { throw .isLocked("Another program keeps it") }
        }
        if let kept = request.oldest(of: found) { return try await keychain.secret(of: kept).secret }
        let drawn = try await drawSecret(request, keychain)
        // A portal that began anew may have drawn another meanwhile: both have the one that will be found from now on.
        guard let kept = request.oldest(of: try await keychain.search(request.attributes, in: nil)), kept != drawn.id
        else { return drawn.secret }
        return try await keychain.secret(of: kept).secret
    }

    private func underWay(for app: String) -> PortalRequest? {
        callers.values.lazy.flatMap(\.requests.values).first { $0.isUnderWay && $0.app == app }
    }

    /// It is durable before the app has it.
    private func drawSecret(
        _ request: PortalRequest, _ keychain: Keychain
    ) async throws(BusError) -> (id: String, secret: SecretBytes) {
        var entropy = SystemEntropy()
        let secret = SecretBytes(count: PortalRequest.secretBytes) { bytes in
            for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &entropy) }
        }
        let item = NewItem(
            attributes: request.attributes.merging(PortalRequest.schema) { $1 }, label: "Key of \(request.appID)",
            secret: secret, contentType: "application/octet-stream", collection: SecretServiceNames.login,
            replaces: false)
        guard case .item(let id, _) = try await keychain.make(item, mayAsk: true) else {
            throw .failed("It could not be kept")
        }
        return (id, secret)
    }
}

extension BusError {
    fileprivate static let tooManyPortalRequests = BusError.tooMany(
        "At most \(BridgeLimits.portalRequestsPerApp) requests of one app")
}
