// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// A secret that an app keeps in its keychain: the type of the same name in Apple's sample code "GenericKeychain", over
/// the service. Where Apple's calls block, these are `async`, and the session comes first.
///
/// | in Apple's sample | here |
/// |---|---|
/// | `KeychainPasswordItem(service:account:accessGroup:)` | the same, with `in: session` |
/// | `savePassword(_:)`, `readPassword()`, `renameAccount(_:)`, `deleteItem()` | the same, `async` |
/// | `passwordItems(forService:accessGroup:)` | the same, `async`, with `in: session` |
/// | `KeychainError.noPassword` and its like | ``KeychainError`` |
/// | `kSecValueData` | ``saveData(_:)``, ``readData()`` |
///
/// ```swift
/// let item = KeychainPasswordItem(service: "tokens", account: "jo@example.com", in: session)
/// try await item.savePassword("secret")
/// let password = try await item.readPassword()
/// ```
///
/// An item that this program wrote it reads freely, in any session. One that another program of the access group wrote
/// takes the person's word, once.
public struct KeychainPasswordItem: Sendable {
    /// The app's own word for what it keeps, 1 to 1,024 bytes.
    public let service: String
    /// Whose it is, 1 to 1,024 bytes.
    public private(set) var account: String
    /// One that the registration lists under `keychain-access-groups`; nil for the app's own.
    public let accessGroup: String?
    /// Whether the person may be asked.
    public var interaction = UserInteraction.allowed
    private let session: AutofillSession

    /// - Parameters:
    ///   - service: the app's own word for what it keeps.
    ///   - account: whose it is.
    ///   - accessGroup: a group that apps share; the app's own where it is left out.
    ///   - session: the app's session.
    public init(service: String, account: String, accessGroup: String? = nil, in session: AutofillSession) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.session = session
    }

    // MARK: - Keychain access

    /// The password of the item.
    ///
    /// - Throws: ``KeychainError/noPassword`` where there is no item, ``KeychainError/unexpectedPasswordData`` where it
    ///   holds what is no UTF-8.
    public func readPassword() async throws(KeychainError) -> String {
        let data = try await read()
        guard let password = data.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw .unexpectedPasswordData
        }
        return password
    }

    /// The bytes of the item.
    ///
    /// - Throws: ``KeychainError/noPassword`` where there is no item.
    public func readData() async throws(KeychainError) -> [UInt8] { try await read().withUnsafeBytes { Array($0) } }

    /// Sets the password, in a new item or in the one that is there. May be repeated.
    public func savePassword(_ password: String) async throws(KeychainError) {
        try await save(SecretBytes(utf8: password))
    }

    /// Sets the bytes, 32,768 at most, in a new item or in the one that is there. May be repeated.
    public func saveData(_ data: some Sequence<UInt8>) async throws(KeychainError) {
        let bytes = Array(data)
        try await save(SecretBytes(copying: bytes, count: bytes.count))
    }

    /// Gives the item another account.
    ///
    /// - Throws: ``KeychainError/noPassword`` where there is no item, ``KeychainError/duplicateItem`` where the other
    ///   account has one.
    public mutating func renameAccount(_ newAccountName: String) async throws(KeychainError) {
        let call = KeychainRename(
            name, newPlace: PlaceName(service: service, account: newAccountName), interaction: interaction.wire)
        _ = try await Self.perform(call, session)
        account = newAccountName
    }

    /// Deletes the item, for good. Nothing happens where there is none.
    public func deleteItem() async throws(KeychainError) {
        _ = try await Self.perform(KeychainDelete(name, interaction: interaction.wire), session)
    }

    /// The items of a service, but for those that ``AutofillSession/addKeychainItem(_:accessGroup:attributes:label:contentType:collection:)``
    /// added: ``AutofillSession/keychainItems(with:collection:accessGroup:interaction:)`` finds all.
    ///
    /// - Parameters:
    ///   - service: the app's own word for what it keeps.
    ///   - accessGroup: a group that apps share; the app's own where it is left out.
    ///   - interaction: whether the person may be asked, now and for each of the items.
    ///   - session: the app's session.
    public static func passwordItems(
        forService service: String, accessGroup: String? = nil, interaction: UserInteraction = .allowed,
        in session: AutofillSession
    ) async throws(KeychainError) -> [KeychainPasswordItem] {
        do throws(AutofillError) {
            return try await session.all(
                { KeychainList(service: service, accessGroup: accessGroup, page: $0, interaction: interaction.wire) },
                { ($0.items, $0.next) },
                { summary in
                    summary.place.map { place in
                        var item = KeychainPasswordItem(
                            service: place.service, account: place.account, accessGroup: accessGroup, in: session)
                        item.interaction = interaction
                        return item
                    }
                }
            ).compactMap(\.self)
        } catch {
            throw KeychainError(error)
        }
    }

    private func read() async throws(KeychainError) -> SecretBytes {
        try await Self.perform(KeychainGet(name, interaction: interaction.wire), session).data
    }

    private var name: ItemName { .place(service: service, account: account, accessGroup: accessGroup) }

    private func save(_ data: SecretBytes) async throws(KeychainError) {
        _ = try await Self.perform(
            KeychainSet(
                service: service, account: account, data: data, accessGroup: accessGroup, interaction: interaction.wire),
            session)
    }

    private static func perform<Call: MethodCall>(
        _ call: Call, _ session: AutofillSession
    ) async throws(KeychainError) -> Call.Answer {
        do throws(AutofillError) {
            return try await session.perform(call)
        } catch {
            throw KeychainError(error)
        }
    }
}
