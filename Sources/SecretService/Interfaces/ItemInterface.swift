// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// `org.freedesktop.Secret.Item`.
extension SecretBridge {
    func answerItem(_ call: Call) async throws(BusError) {
        let item = try await item(at: call.path, call.caller)
        switch call.member {
        case "GetSecret": try await getSecret(call, item)
        case "SetSecret": try await setSecret(call, item)
        case "Delete":
            try call.expect("")
            try await checkUnlocked(item, call)
            let prompt = try await delete([item.id], of: try await ownCollection(item.token, call), call.caller)
            try reply(call) { message throws(BusError) in try message.append(prompt, type: "o") }
        default: throw call.unknownMethod
        }
    }

    /// The collection that stands in an item's path, where it is one that the caller made.
    private func ownCollection(_ token: String, _ call: Call) async throws(BusError) -> SecretCollection? {
        guard token != SecretServiceNames.login, token != CollectionToken.session else { return nil }
        return try await call.keychain.collections().first { $0.token == token }
    }

    func checkUnlocked(_ item: NamedItem, _ call: Call) async throws(BusError) {
        try await checkUnlocked([item.id, item.token], call)
    }

    /// Refuses what the caller has locked itself; until it has greeted, which one it is is not known.
    ///
    /// - Parameter names: collections' tokens, items' ids.
    func checkUnlocked(_ names: [String], _ call: Call) async throws(BusError) {
        let app = try await call.keychain.app()
        guard !names.contains(where: { views.isLocked($0, of: app) }) else {
            throw .isLocked("You have locked it: unlock it first")
        }
    }

    /// Of another's the person is asked, for as long as the call is held; a later yes serves the next call.
    private func getSecret(_ call: Call, _ item: NamedItem) async throws(BusError) {
        try call.expect("o")
        let session = try call.message.readString(type: "o")
        let cipher = try call.caller.cipher(session)
        try await checkUnlocked(item, call)
        let found = try await call.keychain.secret(of: item.id)
        call.caller.seen.forget(item.id)
        try surroundings.bus.reply(to: call.message, isSensitive: true) { message throws(BusError) in
            try message.append(found.secret, contentType: found.contentType, session: session, cipher)
        }
    }

    private func setSecret(_ call: Call, _ item: NamedItem) async throws(BusError) {
        try call.expect("(oayays)")
        let secret = try call.message.readSecret(of: call.caller)
        try await checkUnlocked(item, call)
        try await call.keychain.change(item.id, secret: secret)
        _ = tellOfItem(item.id, in: item.token, isNew: false, call.caller)
        try reply(call)
    }
}
