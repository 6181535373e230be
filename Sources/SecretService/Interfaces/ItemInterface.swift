// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretSession
internal import Systemd

/// A call of `org.freedesktop.Secret.Item`.
struct ItemInterface {
    let call: Call
    let objects: BridgeObjects

    func answer() async throws(BusError) {
        let item = try await objects.item(at: call.path, call.caller)
        switch call.member {
        case "GetSecret": try await getSecret(of: item)
        case "SetSecret": try await setSecret(of: item)
        case "Delete":
            try call.expect("")
            try await objects.checkUnlocked(item, call.caller)
            let collection = try await ownCollection(item.token)
            try call.reply(path: try await objects.delete([item.id], of: collection, call.caller))
        default: throw call.unknownMethod
        }
    }

    /// The collection in an item's path, if it is one that the caller made.
    private func ownCollection(_ token: String) async throws(BusError) -> SecretCollection? {
        guard token != SecretServiceNames.login, token != CollectionToken.session else { return nil }
        return try await call.keychain.collections().first { $0.token == token }
    }

    /// For another program's item the user is prompted, within the time limit of a call; consent after that serves the
    /// next call.
    private func getSecret(of item: BridgeObjects.NamedItem) async throws(BusError) {
        try call.expect("o")
        let session = try call.message.readString(type: "o")
        let cipher = try call.caller.cipher(session)
        try await objects.checkUnlocked(item, call.caller)
        let found = try await call.keychain.secret(of: item.id)
        call.caller.seen.forget(item.id)
        try call.reply(isSensitive: true) { message throws(BusError) in
            try message.append(found.secret, contentType: found.contentType, session: session, cipher)
        }
    }

    private func setSecret(of item: BridgeObjects.NamedItem) async throws(BusError) {
        try call.expect("(oayays)")
        let secret = try call.message.readSecret(of: call.caller)
        try await objects.checkUnlocked(item, call.caller)
        try await call.keychain.change(item.id, secret: secret)
        objects.signalItem(item.id, in: item.token, isNew: false, call.caller)
        try call.reply()
    }
}
