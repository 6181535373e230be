// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// Keychain items that are found by attributes, beside those of a ``KeychainPasswordItem``.
///
/// ```swift
/// let item = try await session.addKeychainItem(Array("secret".utf8), attributes: ["server": "mail.example.com"])
/// let found = try await session.keychainItems(with: ["server": "mail.example.com"])
/// let bytes = try await session.keychainData(of: found[0].id)
/// ```
extension AutofillSession {
    /// The items that have all of these attributes; without any, all that this program may read.
    ///
    /// - Parameters:
    ///   - attributes: names and texts, 1,024 bytes each at most.
    ///   - collection: only items of this one.
    ///   - accessGroup: only this group; all that the app reaches where it is left out.
    ///   - interaction: whether the person may be asked.
    public func keychainItems(
        with attributes: [String: String] = [:], collection: String? = nil, accessGroup: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> [KeychainItem] {
        try await all(
            {
                KeychainSearch(
                    attributes: attributes, collection: collection, accessGroup: accessGroup, page: $0,
                    interaction: interaction.wire)
            }, { ($0.items, $0.next) }, KeychainItem.init)
    }

    /// The bytes of an item.
    ///
    /// - Parameters:
    ///   - id: the item's.
    ///   - interaction: whether the person may be asked, for what another program wrote.
    public func keychainData(
        of id: String, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> [UInt8] {
        try await perform(KeychainGet(.id(id), interaction: interaction.wire)).data.withUnsafeBytes { Array($0) }
    }

    /// Adds an item, also where there is one with the same attributes. A call whose answer was lost is not repeated by itself.
    ///
    /// - Parameters:
    ///   - data: 32,768 bytes at most.
    ///   - accessGroup: a group that apps share; the app's own where it is left out.
    ///   - attributes: what it is to be found by, at least one; 64 of them and 8,192 bytes at most.
    ///   - label: what people call it.
    ///   - contentType: the media type of the bytes.
    ///   - collection: what the app sorts its items into.
    /// - Returns: its id.
    public func addKeychainItem(
        _ data: some Sequence<UInt8>, accessGroup: String? = nil, attributes: [String: String], label: String? = nil,
        contentType: String? = nil, collection: String? = nil
    ) async throws(AutofillError) -> String {
        let details = ItemDetails(
            attributes: attributes, label: label, contentType: contentType, collection: collection)
        return try await perform(
            KeychainSet(.attributes(accessGroup: accessGroup), details: details, data: secret(data))
        ).item
    }

    /// Changes an item; what is left out stays. May be repeated.
    ///
    /// - Parameters:
    ///   - id: the item's.
    ///   - data: 32,768 bytes at most.
    ///   - attributes: all that it is to be found by from now on.
    ///   - label: what people call it.
    ///   - interaction: whether the person may be asked, for what another program wrote.
    /// - Returns: whether anything was changed.
    @discardableResult
    public func changeKeychainItem(
        _ id: String, data: [UInt8]? = nil, attributes: [String: String]? = nil, label: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            KeychainSet(
                .item(id), details: ItemDetails(attributes: attributes, label: label), data: data.map { secret($0) },
                interaction: interaction.wire)
        ).changed
    }

    /// Deletes an item, for good.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    public func deleteKeychainItem(
        _ id: String, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(KeychainDelete(.id(id), interaction: interaction.wire)).changed
    }

    private func secret(_ data: some Sequence<UInt8>) -> SecretBytes {
        let bytes = Array(data)
        return SecretBytes(copying: bytes, count: bytes.count)
    }
}
