// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// A secret that an app keeps in its keychain: the type of the same name in Apple's sample code "GenericKeychain", stored
/// by the service. Apple's calls block; these are `async`, and need a session.
///
/// | in Apple's sample | here |
/// |---|---|
/// | `KeychainPasswordItem(service:account:accessGroup:)` | the same, with `in: session` |
/// | `savePassword(_:)`, `readPassword()`, `renameAccount(_:)`, `deleteItem()` | the same, `async` |
/// | `passwordItems(forService:accessGroup:)` | the same, `async`, with `in: session` |
/// | `KeychainError.noPassword` and others | ``KeychainError`` |
/// | `kSecValueData` | ``saveData(_:)``, ``readData()`` |
///
/// ```swift
/// let item = KeychainPasswordItem(service: "tokens", account: "jo@example.com", in: session)
/// try await item.savePassword("secret")
/// let password = try await item.readPassword()
/// ```
///
/// A program reads the items that it wrote without a prompt, in any session. An item that another program of the access group
/// wrote needs the user's consent, once.
public struct KeychainPasswordItem: Sendable {
    /// The app's name for what it keeps, 1 to 1,024 bytes.
    public let service: String
    /// The account, 1 to 1,024 bytes.
    public private(set) var account: String
    /// An access group that the registration lists under `keychain-access-groups`; nil for the app's own.
    public let accessGroup: String?
    /// Whether the user may be prompted.
    public var interaction = UserInteraction.allowed
    private let session: AutofillSession

    /// - Parameters:
    ///   - service: the app's name for what it keeps.
    ///   - account: the account.
    ///   - accessGroup: a group that several apps use; nil for the app's own.
    ///   - session: the app's session.
    public init(service: String, account: String, accessGroup: String? = nil, in session: AutofillSession) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.session = session
    }

    // MARK: - Keychain access

    /// Returns the password of the item.
    ///
    /// - Throws: ``KeychainError/noPassword`` if there is no item, ``KeychainError/unexpectedPasswordData`` if its bytes are
    ///   not UTF-8.
    public func readPassword() async throws(KeychainError) -> String {
        let data = try await read()
        guard let password = data.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw .unexpectedPasswordData
        }
        return password
    }

    /// Returns the bytes of the item.
    ///
    /// - Throws: ``KeychainError/noPassword`` if there is no item.
    public func readData() async throws(KeychainError) -> [UInt8] { try await read().withUnsafeBytes { Array($0) } }

    /// Sets the password, in a new item or in the existing one. Repeatable.
    public func savePassword(_ password: String) async throws(KeychainError) {
        try await save(SecretBytes(utf8: password))
    }

    /// Sets the bytes, at most 32,768, in a new item or in the existing one. Repeatable.
    public func saveData(_ data: some Sequence<UInt8>) async throws(KeychainError) {
        let bytes = Array(data)
        try await save(SecretBytes(copying: bytes, count: bytes.count))
    }

    /// Changes the account of the item.
    ///
    /// - Throws: ``KeychainError/noPassword`` if there is no item, ``KeychainError/duplicateItem`` if the other account
    ///   has one.
    public mutating func renameAccount(_ newAccountName: String) async throws(KeychainError) {
        let call = KeychainRename(
            name, newPlace: PlaceName(namespace: service, account: newAccountName), interaction: interaction.wire)
        _ = try await perform(call)
        account = newAccountName
    }

    /// Deletes the item permanently. Does nothing if there is none.
    public func deleteItem() async throws(KeychainError) {
        _ = try await perform(KeychainDelete(name, interaction: interaction.wire))
    }

    /// Returns the items of a service, without those that ``AutofillSession/addKeychainItem(_:accessGroup:attributes:label:contentType:collection:)``
    /// added: ``AutofillSession/keychainItems(with:collection:accessGroup:interaction:)`` finds all.
    ///
    /// - Parameters:
    ///   - service: the app's name for what it keeps.
    ///   - accessGroup: a group that several apps use; nil for the app's own.
    ///   - interaction: whether the user may be prompted, now and for each of the items.
    ///   - session: the app's session.
    public static func passwordItems(
        forService service: String, accessGroup: String? = nil, interaction: UserInteraction = .allowed,
        in session: AutofillSession
    ) async throws(KeychainError) -> [KeychainPasswordItem] {
        do throws(AutofillError) {
            return try await session.all(
                {
                    KeychainSearch(
                        namespace: service, accessGroup: accessGroup, page: $0, interaction: interaction.wire)
                },
                { ($0.items, $0.next) },
                { summary in
                    summary.place.map { place in
                        var item = KeychainPasswordItem(
                            service: place.namespace, account: place.account, accessGroup: accessGroup, in: session)
                        item.interaction = interaction
                        return item
                    }
                }, interaction
            ).compactMap(\.self)
        } catch {
            throw KeychainError(error)
        }
    }

    private func read() async throws(KeychainError) -> SecretBytes {
        try await perform(KeychainGet(name, interaction: interaction.wire)).data
    }

    private var name: ItemName { .place(namespace: service, account: account, accessGroup: accessGroup) }

    private func save(_ data: SecretBytes) async throws(KeychainError) {
        _ = try await perform(
            KeychainSet(
                namespace: service, account: account, data: data, accessGroup: accessGroup,
                interaction: interaction.wire))
    }

    private func perform<Call: MethodCall>(_ call: Call) async throws(KeychainError) -> Call.Answer {
        do throws(AutofillError) {
            return try await session.perform(call, interaction)
        } catch {
            throw KeychainError(error)
        }
    }
}
