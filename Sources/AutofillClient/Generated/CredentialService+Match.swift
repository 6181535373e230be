// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.

extension CredentialService {
    /// Where a credential is filled besides its service.
    public struct Match: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nowhere else.
        public static let exact = Self(rawValue: "exact")
        /// In browsers at every host of the same registrable domain.
        public static let site = Self(rawValue: "site")
    }
}
