// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol
public import FoundationEssentials

/// An offer that is not yet accepted or declined: what an unfinished sign-up left behind.
public struct PendingOffer: StrongPasswordOffer, Hashable {
    /// Its id.
    public let offer: String
    /// The site.
    public let service: CredentialServiceIdentifier
    /// The client's name for the form.
    public let formID: String?
    /// The length in characters.
    public let length: Int
    /// When it was created.
    public let created: Date
    /// The end of the time in which it can be used.
    public let expires: Date

    init(_ report: OfferReport) throws(AutofillError) {
        offer = report.offer
        service = CredentialServiceIdentifier(report.service)
        formID = report.formID
        length = report.length
        created = try Date(wire: report.created)
        expires = try Date(wire: report.expires)
    }
}
