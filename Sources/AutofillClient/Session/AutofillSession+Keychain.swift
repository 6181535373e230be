// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// Keychain items that are found by attributes, in addition to ``KeychainPasswordItem``, and password verifiers.
///
/// ```swift
/// let item = try await session.addKeychainItem(Array("secret".utf8), attributes: ["server": "mail.example.com"])
/// let found = try await session.keychainItems(with: ["server": "mail.example.com"])
/// let bytes = try await session.keychainData(of: found[0].id)
/// ```
extension AutofillSession {
    /// Returns the items that have all of these attributes; without attributes, all that this program may read.
    ///
    /// - Parameters:
    ///   - attributes: names and values, at most 1,024 bytes each.
    ///   - collection: only items of this collection.
    ///   - accessGroup: only items of this group; nil for all groups that the app may access.
    ///   - interaction: whether the user may be prompted.
    public func keychainItems(
        with attributes: [String: String] = [:], collection: String? = nil, accessGroup: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> [KeychainItem] {
        try await all(
            {
                KeychainSearch(
                    attributes: attributes, collection: collection, accessGroup: accessGroup, page: $0,
                    interaction: interaction.wire)
            }, { ($0.items, $0.next) }, KeychainItem.init, interaction)
    }

    /// Returns the bytes of an item.
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - interaction: whether the user may be prompted, for an item that another program wrote.
    public func keychainData(
        of id: String, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> [UInt8] {
        try await perform(KeychainGet(.id(id), interaction: interaction.wire), interaction).data.withUnsafeBytes {
            Array($0)
        }
    }

    /// Adds an item, even if one with the same attributes exists. A call whose answer was lost is not repeated
    /// automatically.
    ///
    /// - Parameters:
    ///   - data: at most 32,768 bytes.
    ///   - accessGroup: a group that several apps use; nil for the app's own.
    ///   - attributes: what it is found by: at least one, at most 64 and 8,192 bytes.
    ///   - label: the name for people.
    ///   - contentType: the media type of the bytes.
    ///   - collection: the app's category for it.
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

    /// Changes an item. What is nil is not changed. Repeatable.
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - data: at most 32,768 bytes.
    ///   - attributes: all that it is found by from now on.
    ///   - label: the name for people.
    ///   - interaction: whether the user may be prompted, for an item that another program wrote.
    /// - Returns: whether anything was changed.
    @discardableResult
    public func changeKeychainItem(
        _ id: String, data: [UInt8]? = nil, attributes: [String: String]? = nil, label: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            KeychainSet(
                .item(id), details: ItemDetails(attributes: attributes, label: label), data: data.map { secret($0) },
                interaction: interaction.wire), interaction
        ).changed
    }

    /// Deletes an item permanently.
    ///
    /// - Returns: whether it existed.
    @discardableResult
    public func deleteKeychainItem(
        _ id: String, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(KeychainDelete(.id(id), interaction: interaction.wire), interaction).changed
    }

    // MARK: - Verifiers: passwords that an app has to recognise, and must not keep

    /// Stores what a password can be checked against: scrypt with a salt of its own, never the password.
    ///
    /// - Parameters:
    ///   - password: 1 to 4,096 bytes; its NFC form counts.
    ///   - service: the app's name for what it keeps, 1 to 1,024 bytes.
    ///   - account: the account, 1 to 1,024 bytes.
    ///   - accessGroup: a group that several apps use; nil for the app's own.
    ///   - interaction: whether the user may be prompted, if another program of the group set it.
    public func setVerifier(
        of password: String, service: String, account: String, accessGroup: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) {
        _ = try await perform(
            VerifierSet(
                namespace: service, account: account, password: SecretBytes(utf8: password), accessGroup: accessGroup,
                interaction: interaction.wire), interaction)
    }

    /// Returns whether a password is the one that was set. After wrong passwords, the next check is refused with
    /// ``AutofillReason/Code/checkTooSoon`` for some time. A call whose answer was lost is not repeated automatically.
    public func check(
        _ password: String, service: String, account: String, accessGroup: String? = nil
    ) async throws(AutofillError) -> Bool {
        try await perform(
            VerifierCheck(
                namespace: service, account: account, password: SecretBytes(utf8: password), accessGroup: accessGroup)
        ).isMatch
    }

    /// Deletes a verifier.
    ///
    /// - Returns: whether it existed.
    @discardableResult
    public func deleteVerifier(
        service: String, account: String, accessGroup: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            VerifierDelete(
                namespace: service, account: account, accessGroup: accessGroup, interaction: interaction.wire),
            interaction
        ).changed
    }

    /// Returns the hash of a verifier, for export: a PHC string, `$scrypt$ln=15,r=8,p=1$SALT$HASH`.
    public func exportVerifier(
        service: String, account: String, accessGroup: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> String {
        String(
            try await perform(
                VerifierExport(
                    namespace: service, account: account, accessGroup: accessGroup, interaction: interaction.wire),
                interaction
            ).hash)
    }

    /// Imports a hash: a PHC string of scrypt.
    public func importVerifier(
        _ hash: String, service: String, account: String, accessGroup: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) {
        _ = try await perform(
            VerifierSet(
                namespace: service, account: account, hash: SecretBytes(utf8: hash), accessGroup: accessGroup,
                interaction: interaction.wire), interaction)
    }

    private func secret(_ data: some Sequence<UInt8>) -> SecretBytes {
        let bytes = Array(data)
        return SecretBytes(copying: bytes, count: bytes.count)
    }
}
