// SPDX-License-Identifier: Apache-2.0

/// Why access to a keychain item failed: the cases of Apple's sample code, and any other error of the service.
public enum KeychainError: Error, Hashable, Sendable {
    /// There is no such item (`errSecItemNotFound`).
    case noPassword
    /// The item's bytes are not text; ``KeychainPasswordItem/readData()`` has the bytes.
    case unexpectedPasswordData
    /// The answer of the service was not understood.
    case unexpectedItemData
    /// The other account has an item already (`errSecDuplicateItem`).
    case duplicateItem
    /// Any other error (`unhandledError(status:)` in Apple's code): no service, refused with reasons, and so on.
    case unhandledError(AutofillError)

    init(_ error: AutofillError) {
        if error.isRefused(for: .itemNotFound) {
            self = .noPassword
        } else if error.isRefused(for: .itemExists) {
            self = .duplicateItem
        } else if case .answerNotUnderstood = error {
            self = .unexpectedItemData
        } else {
            self = .unhandledError(error)
        }
    }
}
