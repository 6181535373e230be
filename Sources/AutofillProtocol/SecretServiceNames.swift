// SPDX-License-Identifier: Apache-2.0

/// What all who keep items of the Secret Service must call alike: its bridge, the import of another keyring, and the daemon.
package enum SecretServiceNames {
    /// The name on the bus, and the daemon's access group of such items.
    package static let bus = "org.freedesktop.secrets"
    /// The object of the service on the bus.
    package static let root = "/org/freedesktop/secrets"
    /// The collection that is always there.
    package static let login = "login"
    /// The attribute that names an item's schema, as libsecret has it.
    package static let schema = "xdg:schema"
    /// What the names of attributes begin with that callers on the bus neither see nor set.
    package static let hiddenPrefix = "org.freedesktop.Secret."
    /// The attributes of an item that has none of its own: the keychain wants one.
    package static let noAttributes = [hiddenPrefix + "Item": "plain"]
}
