// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import SecretMemory
internal import Systemd

/// `org.freedesktop.impl.portal.Secret`: the requests of xdg-desktop-portal for sandboxed apps. Each app has one
/// secret, with which it seals its own data. The secret is an item of the app that the daemon identifies, whatever name
/// the portal states.
extension SecretBridge {
    func answerPortal(_ message: BusMessage, of caller: Caller) async throws(BusError) {
        let isDesktop = message.path == PortalRequest.desktop
        switch (message.interface(default: isDesktop ? Interface.portal : Interface.request), message.member ?? "") {
        case (Interface.introspectable, "Introspect"):
            try environment.bus.reply(to: message) { reply throws(BusError) in
                try reply.append(isDesktop ? Introspection.portal : Introspection.request)
            }
        case (Interface.properties, "Get") where isDesktop: try getPortalProperty(message)
        case (Interface.properties, "GetAll") where isDesktop:
            try environment.bus.reply(to: message) { reply throws(BusError) in
                try reply.append([("version", .version(1))])
            }
        case (Interface.portal, "RetrieveSecret") where isDesktop:
            try await requirePortal(caller)
            try await retrieveSecret(message, caller)
        case (Interface.request, "Close") where !isDesktop:
            guard let request = caller.requests[message.path ?? ""] else { throw .unknownObject(message.path ?? "") }
            request.task?.cancel()
            try environment.bus.reply(to: message)
        default: throw .unknownMethod("There is no method \(message.member ?? "")")
        }
    }

    private func getPortalProperty(_ message: BusMessage) throws(BusError) {
        guard message.has("ss") else { throw .invalid("The arguments of Get are “ss”") }
        let interface = try message.readString()
        let name = try message.readString()
        guard interface == Interface.portal, name == "version" else { throw .unknownProperty(name) }
        try environment.bus.reply(to: message) { reply throws(BusError) in
            try PropertyValue.version(1).append(to: reply)
        }
    }

    /// Only xdg-desktop-portal may request secrets of other apps.
    private func requirePortal(_ caller: Caller) async throws(BusError) {
        let greeted = try await caller.keychain.greeted()
        guard greeted.app == PortalRequest.portal, greeted.assurance == "installed" else {
            environment.journal.warn(
                "\(greeted.app) requested the master secret of an app, which only xdg-desktop-portal may do",
                reason: "not-permitted",
                fix: "If it is the portal, name its executable in the registration \(PortalRequest.portal)")
            throw .denied("Only xdg-desktop-portal may request the master secret of an app")
        }
    }

    private func retrieveSecret(_ message: BusMessage, _ caller: Caller) async throws(BusError) {
        guard message.has("osha{sv}") else { throw .invalid("The arguments of RetrieveSecret are “osha{sv}”") }
        let handle = try message.readString(type: "o")
        let request = try PortalRequest(handle, appID: try message.readString(), on: environment.loop)
        let descriptor = try message.readDescriptor()
        guard caller.requests[handle] == nil else { throw .invalid("A request with this handle exists already") }
        // Checked before the daemon identifies the app: an app may have many connections to the bus, and state many
        // names.
        let before = caller.requests.values.filter { $0.requester == request.requester || $0.appID == request.appID }
        guard before.count < BridgeLimits.portalRequestsPerApp else { throw .tooManyPortalRequests }
        let link = CallerLink(to: request.requester, environment, evidence: request.evidence) {}
        let keychain = Keychain(link, memory: objects.memory, answers: objects.answers)
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
                throw .failed("The secret cannot be written: the descriptor is no pipe or socket, or it is full")
            }
            try respond(to: message, .done)
        // A closed request needs no other answer; the daemon's journal records a refusal of the user.
        case .failure(let error) where task.isCancelled || error.name == BusError.isLocked("").name:
            try respond(to: message, .cancelled)
        case .failure(let error): throw error
        }
    }

    private enum Response: UInt32 { case done, cancelled }

    private func respond(to message: BusMessage, _ response: Response) throws(BusError) {
        try environment.bus.reply(to: message) { reply throws(BusError) in
            try reply.append(response.rawValue)
            try reply.write("a", of: "{sv}") {}
        }
    }

    /// The stored secret, even another program's (after a prompt), else a new one.
    private func masterSecret(
        _ request: PortalRequest, _ keychain: Keychain, _ caller: Caller
    ) async throws(BusError) -> SecretBytes {
        let app = try await keychain.greeted().app
        request.app = app
        guard caller.requests.values.count(where: { $0.app == app }) <= BridgeLimits.portalRequestsPerApp else {
            throw .tooManyPortalRequests
        }
        // Also those of another portal: one that was restarted while the former is still on the bus.
        while let before = underWay(for: app) {
            do throws(WaitFailure) { try await before.ended.value() } catch { throw .failed("The request was closed") }
        }
        request.isUnderWay = true
        try await keychain.requireUnlocked(until: nil)
        let held = try await keychain.hold()
        defer { held.end() }
        var found = try await keychain.search(request.attributes, in: nil, held, isWhole: true)
        if !found.contains(where: request.fits), found.contains(where: \.isWithheld) {
            let withheld = found.filter(\.isWithheld).map(\.id)
            try held.add(withheld.count * BridgeLimits.answerBytesPerMetadata)
            found = try await keychain.request(withheld, interaction: .allow, window: nil)
            // Never create a second one: the app could not open its sealed data again.
            guard !found.contains(where: \.isWithheld) else {
                throw .isLocked("Another program owns the stored secret")
            }
        }
        if let kept = request.oldest(of: found) { return try await keychain.secret(of: kept).secret }
        let created = try await createSecret(request, keychain)
        // A restarted portal may have created another meanwhile: both return the one that later searches find.
        found = try await keychain.search(request.attributes, in: nil, held, isWhole: true)
        guard let kept = request.oldest(of: found), kept != created.id else { return created.secret }
        return try await keychain.secret(of: kept).secret
    }

    private func underWay(for app: String) -> PortalRequest? {
        objects.callers.values.lazy.flatMap(\.requests.values).first { $0.isUnderWay && $0.app == app }
    }

    /// Creates a secret, which is durable before the app receives it.
    private func createSecret(
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
            throw .failed("The secret could not be stored")
        }
        return (id, secret)
    }
}

extension BusError {
    fileprivate static let tooManyPortalRequests = BusError.tooMany(
        "At most \(BridgeLimits.portalRequestsPerApp) requests of one app")
}
