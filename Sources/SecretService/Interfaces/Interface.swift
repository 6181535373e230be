// SPDX-License-Identifier: Apache-2.0

/// The interfaces of the Secret Service API.
enum Interface {
    static let service = "org.freedesktop.Secret.Service"
    static let collection = "org.freedesktop.Secret.Collection"
    static let item = "org.freedesktop.Secret.Item"
    static let session = "org.freedesktop.Secret.Session"
    static let prompt = "org.freedesktop.Secret.Prompt"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let portal = "org.freedesktop.impl.portal.Secret"
    static let request = "org.freedesktop.impl.portal.Request"
}

extension SecretPath {
    /// The interface of objects of this kind.
    var interface: String {
        switch self {
        case .service: Interface.service
        case .collection, .alias: Interface.collection
        case .item, .aliasItem: Interface.item
        case .session: Interface.session
        case .prompt: Interface.prompt
        }
    }
}
