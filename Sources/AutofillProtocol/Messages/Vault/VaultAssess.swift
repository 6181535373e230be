// SPDX-License-Identifier: Apache-2.0

package struct VaultAssess: ProvableCall {
    package static let declaration = MethodDeclaration(
        .vaultAssess, "Assesses all saved passwords: which are breached, reused, weak or invalid.",
        .administer, vault: .open, proof: .needed, repeatable: true)
    package let breaches: String?
    package let oldDays: Int
    package let proof: Proof?

    package init(breaches: String? = nil, oldDays: Int = 0, proof: Proof?) {
        (self.breaches, self.oldDays, self.proof) = (breaches, oldDays, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            breaches: try field(
                optional: "breaches", \.breaches, .path,
                "Of breached passwords: a file of lines `SHA1:COUNT`, sorted, or a directory of range files."),
            oldDays: try field(
                "oldDays", \.oldDays, .integer(0...Limits.oldPasswordDays), absent: 0,
                "From how many days on a password is old; 0: never."),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message, Hashable {
        package let assessed: Int
        package let found: Int
        package let counts: [ProblemCount]
        package let passwords: [AssessedPassword]
        package let estimates: Bool
        package let siteRules: Bool

        package init(
            assessed: Int, found: Int, counts: [ProblemCount], passwords: [AssessedPassword], estimates: Bool,
            siteRules: Bool
        ) {
            (self.assessed, self.found, self.counts) = (assessed, found, counts)
            (self.passwords, self.estimates, self.siteRules) = (passwords, estimates, siteRules)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                assessed: try field("assessed", \.assessed, .integer(0...Int.max), "How many passwords there are."),
                found: try field("found", \.found, .integer(0...Int.max), "How many of them have a problem."),
                counts: try field(
                    "counts", \.counts, .objects(limit: Limits.passwordProblems),
                    "How many passwords have each problem, the most severe first."),
                passwords: try field(
                    "passwords", \.passwords, .objects(),
                    "Those with a problem, the most severe first; `Limits.listLimit` at most."),
                estimates: try field(
                    "estimates", \.estimates, .boolean,
                    "Whether this daemon estimates how weak a password is; it can be built without."),
                siteRules: try field(
                    "siteRules", \.siteRules, .boolean,
                    "Whether there are rules of sites (`autofillctl quirks import`): without them no password is `invalid`."
                ))
        }
    }
}
