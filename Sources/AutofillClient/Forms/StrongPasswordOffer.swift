// SPDX-License-Identifier: Apache-2.0

/// A strong password that was offered to the app: a suggestion or a pending offer.
public protocol StrongPasswordOffer: Sendable {
    /// The id of the offer. It survives a restart of the service.
    var offer: String { get }
}

extension StrongPasswordSuggestion: StrongPasswordOffer {}
