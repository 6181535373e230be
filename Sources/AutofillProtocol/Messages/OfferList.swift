// SPDX-License-Identifier: Apache-2.0

/// Offered passwords that can still be found: the app's own that wait, or with proof everyone's, the declined and expired
/// ones included.
package struct OfferList: ProvableCall {
    package static let method = Method.offerList
    /// nil: those that wait. Others need proof.
    package let state: String?
    package let page: PageRequest
    package let proof: Proof?

    package init(state: String? = nil, page: PageRequest = PageRequest(), proof: Proof? = nil) {
        self.state = state
        self.page = page
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        state = try members.optionalString("state", oneOf: Self.states)
        page = try PageRequest(from: &members)
        proof = try members.optionalValue("proof")
    }

    package static let states = ["pending", "accepted", "declined", "expired", "all"]

    package func write(to writer: inout JSONWriter) {
        if let state { writer.member("state", state) }
        page.write(to: &writer)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let offers: [OfferReport]
        package let next: String?

        package init(offers: [OfferReport], next: String?) {
            self.offers = offers
            self.next = next
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            offers = try members.values("offers")
            next = try members.optionalString("next", bytes: 1...256)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("offers", offers)
            writer.member("next", orNull: next)
        }
    }
}

/// An offer without its password.
package struct OfferReport: WireValue, Hashable {
    package let offer: String
    package let bundleID: String
    package let service: ServiceIdentifier
    package let form: String?
    /// `pending`, `accepted`, `declined`, `expired`.
    package let state: String
    /// What it became.
    package let credential: String?
    /// In characters.
    package let length: Int
    package let created: String
    package let expires: String
    package let settled: String?

    package init(
        offer: String, bundleID: String, service: ServiceIdentifier, form: String?, state: String, credential: String?,
        length: Int, created: String, expires: String, settled: String?
    ) {
        self.offer = offer
        self.bundleID = bundleID
        self.service = service
        self.form = form
        self.state = state
        self.credential = credential
        self.length = length
        self.created = created
        self.expires = expires
        self.settled = settled
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        offer = try members.string("offer", bytes: 1...64)
        bundleID = try members.string("bundleID", bytes: 1...255)
        service = try members.value("service")
        form = try members.optionalString("form", bytes: 1...64)
        state = try members.string("state", bytes: 1...32)
        credential = try members.optionalString("credential", bytes: 1...64)
        length = try members.integer("length", in: 0...4096)
        created = try members.string("created", bytes: 1...64)
        expires = try members.string("expires", bytes: 1...64)
        settled = try members.optionalString("settled", bytes: 1...64)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("offer", offer)
        writer.member("bundleID", bundleID)
        writer.member("service", service)
        writer.member("form", orNull: form)
        writer.member("state", state)
        writer.member("credential", orNull: credential)
        writer.member("length", length)
        writer.member("created", created)
        writer.member("expires", expires)
        writer.member("settled", orNull: settled)
    }
}
