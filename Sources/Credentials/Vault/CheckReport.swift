// SPDX-License-Identifier: Apache-2.0

/// The result of a check.
package struct CheckReport: Sendable {
    /// What is wrong; empty in an intact vault.
    package let findings: [VaultFinding]
    /// How many records and entries of the release log were read.
    package let records: Int
    package let releases: Int

    package var isIntact: Bool { findings.isEmpty }

    package init(findings: [VaultFinding], records: Int, releases: Int) {
        self.findings = findings
        self.records = records
        self.releases = releases
    }
}
