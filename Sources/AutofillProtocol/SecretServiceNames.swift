// SPDX-License-Identifier: Apache-2.0

/// Names that the Secret Service bridge, the import of another keyring, and the daemon have in common.
package enum SecretServiceNames {
    /// The name on the bus, and the daemon's access group of such items.
    package static let bus = "org.freedesktop.secrets"
    /// The object of the service on the bus.
    package static let root = "/org/freedesktop/secrets"
    /// The collection that always exists.
    package static let login = "login"
    /// What a grant names in place of an item: all that its program has saved itself.
    package static let own = "own"
    /// The same: all that was imported.
    package static let imported = "imported"
    /// The attribute that names an item's schema, as in libsecret.
    package static let schema = "xdg:schema"
    /// The prefix of attribute names that callers on the bus can neither read nor set.
    package static let hiddenPrefix = "org.freedesktop.Secret."
    /// The attributes of an item that has none of its own: the keychain requires one.
    package static let noAttributes = [hiddenPrefix + "Item": "plain"]
}
