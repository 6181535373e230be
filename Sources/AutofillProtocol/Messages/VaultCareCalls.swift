// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

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

/// One thing that is not as it should be.
package struct FindingReport: WireValue, Hashable {
    /// `altered`, `older`, `missing`, `unexpected`, `duplicate`, `slot`, `releases` or `damaged`.
    package let finding: String
    /// A sentence for people.
    package let text: String
    /// The object that it concerns.
    package let id: String?

    package init(finding: String, text: String, id: String?) {
        self.finding = finding
        self.text = text
        self.id = id
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        finding = try members.string("finding", bytes: 1...32)
        text = try members.string("text", bytes: 0...4096)
        id = try members.optionalString("id", bytes: 1...64)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("finding", finding)
        writer.member("text", text)
        writer.member("id", orNull: id)
    }
}

/// Copies the vault into a new file, and reads that back.
package struct VaultBackup: ProvableCall {
    package static let method = Method.vaultBackup
    /// Absolute; nothing may be there.
    package let path: String
    package let proof: Proof?

    package init(path: String, proof: Proof?) {
        self.path = path
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        path = try members.path("path")
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("path", path)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let path: String
        /// Its length in bytes.
        package let length: Int
        /// How many records were opened in it.
        package let records: Int

        package init(path: String, length: Int, records: Int) {
            self.path = path
            self.length = length
            self.records = records
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            path = try members.string("path", bytes: 1...4096)
            length = try members.integer("length", in: 0...Int.max)
            records = try members.integer("records", in: 0...Int.max)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("path", path)
            writer.member("length", length)
            writer.member("records", records)
        }
    }
}

/// The backups that the vault knows of.
package struct BackupList: ProvableCall {
    package static let method = Method.backupList
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let backups: [BackupEntry]

        package init(backups: [BackupEntry]) { self.backups = backups }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            backups = try members.values("backups")
        }

        package func write(to writer: inout JSONWriter) { writer.member("backups", backups) }
    }
}

/// One backup.
package struct BackupEntry: WireValue, Hashable {
    package let path: String
    /// nil for one that was made before the vault was brought to a newer format.
    package let made: String?
    package let length: Int
    package let isAutomatic: Bool

    package init(path: String, made: String?, length: Int, isAutomatic: Bool) {
        self.path = path
        self.made = made
        self.length = length
        self.isAutomatic = isAutomatic
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        path = try members.string("path", bytes: 1...4096)
        made = try members.optionalString("made", bytes: 1...64)
        length = try members.integer("length", in: 0...Int.max)
        isAutomatic = try members.bool("automatic")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("path", path)
        writer.member("made", orNull: made)
        writer.member("length", length)
        writer.member("automatic", isAutomatic)
    }
}

/// Puts a backup in the place of the vault, which is kept.
package struct VaultRestore: ProvableCall {
    package static let method = Method.vaultRestore
    package let path: String
    /// What opens the backup.
    package let secret: Proof
    /// What opens the present vault; needed where one can be opened.
    package let proof: Proof?

    package init(path: String, secret: Proof, proof: Proof?) {
        self.path = path
        self.secret = secret
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        path = try members.path("path")
        secret = try members.value("secret")
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("path", path)
        writer.member("secret", secret)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let records: Int
        /// Where the vault that was there before is kept; nil where there was none.
        package let replaced: String?

        package init(records: Int, replaced: String?) {
            self.records = records
            self.replaced = replaced
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            records = try members.integer("records", in: 0...Int.max)
            replaced = try members.optionalString("replaced", bytes: 0...4096)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("records", records)
            writer.member("replaced", orNull: replaced)
        }
    }
}

/// Seals everything anew under a new key, behind these slots only.
package struct VaultRekey: ProvableCall {
    package static let method = Method.vaultRekey
    package let secrets: [NewSecret]
    package let proof: Proof?

    package init(secrets: [NewSecret], proof: Proof?) {
        self.secrets = secrets
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        secrets = try NewSecret.all(from: &members)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        for secret in secrets { secret.write(to: &writer) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue {
        package let slots: [SlotReport]
        /// The paths of the backups that the former secrets still open.
        package let backups: [String]
        /// The recovery key that was drawn, grouped. Told this once.
        package let recoveryKey: SecretBytes?

        package init(slots: [SlotReport], backups: [String], recoveryKey: SecretBytes?) {
            self.slots = slots
            self.backups = backups
            self.recoveryKey = recoveryKey
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            slots = try members.values("slots")
            backups = try members.strings("backups")
            recoveryKey = try members.optionalSecret("recoveryKey", bytes: 1...Limits.recoveryKeyBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("slots", slots)
            writer.member("backups", backups)
            if let recoveryKey { writer.member("recoveryKey", recoveryKey) }
        }
    }
}
