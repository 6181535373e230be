// SPDX-License-Identifier: Apache-2.0

/// The site took the password: the offer becomes a credential.
package struct AutofillAccept: ProvableCall {
    package typealias Answer = SavedAnswer
    package static let method = Method.autofillAccept
    package let offer: String
    package let user: String?
    /// The credential whose password the offer replaces, in a change-of-password form.
    package let replaces: String?
    package let ifVersion: Int?
    package let interaction: Interaction
    /// Finishes any app's offer, one that was declined or has expired included.
    package let proof: Proof?

    package init(
        offer: String, user: String? = nil, replaces: String? = nil, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.offer = offer
        self.user = user
        self.replaces = replaces
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        offer = try members.string("offer", bytes: 1...64)
        user = try members.optionalString("user", bytes: 1...Limits.userBytes)
        replaces = try members.optionalString("replaces", bytes: 1...64)
        let expected = "the user name, or replaces in a change-of-password form, not both"
        if user == nil, replaces == nil { throw members.missing("user", expected) }
        if user != nil, replaces != nil { throw members.invalid("user", expected) }
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("offer", offer)
        if let user { writer.member("user", user) }
        if let replaces { writer.member("replaces", replaces) }
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}
