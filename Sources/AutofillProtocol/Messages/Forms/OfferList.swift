// SPDX-License-Identifier: Apache-2.0

package struct OfferList: ProvableCall {
    package static let declaration = MethodDeclaration(
        .offerList,
        """
        Lists offered passwords: the app's own pending ones, or with proof those of all apps, \
        the declined and expired ones included.
        """, .own, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let state: String?
    package let page: PageRequest
    package let proof: Proof?

    package init(state: String? = nil, page: PageRequest = PageRequest(), proof: Proof? = nil) {
        (self.state, self.page, self.proof) = (state, page, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            state: try field(
                optional: "state", \.state, .oneOf(Self.states), "Null for pending ones. Others need proof."),
            page: try field(\.page),
            proof: try field.proof(\.proof))
    }

    package static let states = ["pending", "accepted", "declined", "expired", "all"]

    package struct Answer: Message, Hashable {
        package let offers: [OfferReport]
        package let next: String?

        package init(offers: [OfferReport], next: String?) { (self.offers, self.next) = (offers, next) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                offers: try field("offers", \.offers, .objects(), "The offers."),
                next: try field.next(\.next))
        }
    }
}

/// An offer without its password.
package struct OfferReport: Message, Hashable {
    package let offer: String
    package let bundleID: String
    package let service: ServiceIdentifier
    package let formID: String?
    package let state: String
    package let credential: String?
    package let length: Int
    package let created: String
    package let expires: String
    package let settled: String?

    package init(
        offer: String, bundleID: String, service: ServiceIdentifier, formID: String?, state: String,
        credential: String?,
        length: Int, created: String, expires: String, settled: String?
    ) {
        (self.offer, self.bundleID, self.service, self.formID, self.state) = (offer, bundleID, service, formID, state)
        (self.credential, self.length, self.created, self.expires) = (credential, length, created, expires)
        self.settled = settled
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            offer: try field("offer", \.offer, .id, "Its id."),
            bundleID: try field("bundleID", \.bundleID, .string(1...255), "The app."),
            service: try field.service(\.service),
            formID: try field(optional: "formID", \.formID, .string(1...64), "The client's name for the form."),
            state: try field(
                "state", \.state, .word(Words.offerStates, 1...32), "`pending`, `accepted`, `declined`, `expired`."),
            credential: try field(optional: "credential", \.credential, .id, "The credential that it became."),
            length: try field("length", \.length, .integer(0...4096), "The length in characters."),
            created: try field("created", \.created, .instant, "When it was created."),
            expires: try field("expires", \.expires, .instant, "The end of the time in which it can be used."),
            settled: try field(
                optional: "settled", \.settled, .instant, "When it was accepted or declined, or expired."))
    }
}
