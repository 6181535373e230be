// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// A strong password that was offered to the app: a suggestion, or one that is found again.
public protocol StrongPasswordOffer: Sendable {
    /// The name of the offer; it survives a restart of the service.
    var offer: String { get }
}

extension StrongPasswordSuggestion: StrongPasswordOffer {}

/// An offer that waits to be taken or declined: what a sign-up left behind that never came to its end.
public struct PendingOffer: StrongPasswordOffer, Hashable {
    /// The name of the offer.
    public let offer: String
    /// The site that it was made for.
    public let service: CredentialServiceIdentifier
    /// The `id` of the form that it was made for.
    public let form: String?
    /// The password's length in characters.
    public let length: Int
    /// When it was made.
    public let created: Date
    /// Until when it can be accepted.
    public let expires: Date

    init(_ report: OfferReport) throws(AutofillError) {
        offer = report.offer
        service = CredentialServiceIdentifier(report.service)
        form = report.form
        length = report.length
        created = try Date(wire: report.created)
        expires = try Date(wire: report.expires)
    }
}
