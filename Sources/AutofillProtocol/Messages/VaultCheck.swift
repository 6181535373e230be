// SPDX-License-Identifier: Apache-2.0

/// Looks at everything in the vault, and mends it where that is asked for.
package struct VaultCheck: ProvableCall {
    package static let method = Method.vaultCheck
    /// What is not sound goes into quarantine; nothing is deleted.
    package let repairs: Bool
    package let proof: Proof?

    package init(repairs: Bool = false, proof: Proof?) {
        self.repairs = repairs
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        repairs = try members.optionalBool("repair") ?? false
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if repairs { writer.member("repair", true) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        /// As the vault is now.
        package let isSound: Bool
        package let records: Int
        /// Entries of the record of releases.
        package let releases: Int
        /// What was wrong; the first ones where there are more than `Limits.listLimit`.
        package let findings: [FindingReport]
        package let findingCount: Int
        /// How many rows a repair put into quarantine.
        package let quarantined: Int
        /// Where the damaged file is kept, if the repair had to copy the vault into a new one.
        package let replaced: String?

        package init(
            isSound: Bool, records: Int, releases: Int, findings: [FindingReport], findingCount: Int, quarantined: Int,
            replaced: String?
        ) {
            self.isSound = isSound
            self.records = records
            self.releases = releases
            self.findings = findings
            self.findingCount = findingCount
            self.quarantined = quarantined
            self.replaced = replaced
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            isSound = try members.bool("sound")
            records = try members.integer("records", in: 0...Int.max)
            releases = try members.integer("releases", in: 0...Int.max)
            findings = try members.values("findings")
            findingCount = try members.integer("findingCount", in: 0...Int.max)
            quarantined = try members.integer("quarantined", in: 0...Int.max)
            replaced = try members.optionalString("replaced", bytes: 0...4096)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("sound", isSound)
            writer.member("records", records)
            writer.member("releases", releases)
            writer.member("findings", findings)
            writer.member("findingCount", findingCount)
            writer.member("quarantined", quarantined)
            writer.member("replaced", orNull: replaced)
        }
    }
}
