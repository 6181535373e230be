// SPDX-License-Identifier: Apache-2.0

package struct ReleaseList: PageCall {
    package static let declaration = MethodDeclaration(
        .releaseList, "Lists the release log, the newest entry first, page by page.", .administer, vault: .open,
        proof: .needed, prompt: true, repeatable: true)
    package let page: PageRequest
    package let proof: Proof?

    package init(page: PageRequest = PageRequest(), proof: Proof?) {
        (self.page, self.proof) = (page, proof)
    }

    package struct Answer: Message, Hashable {
        package let releases: [ReleaseReport]
        package let missing: [MissingReleases]
        package let next: String?

        package init(releases: [ReleaseReport], missing: [MissingReleases], next: String?) {
            (self.releases, self.missing, self.next) = (releases, missing, next)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                releases: try field("releases", \.releases, .objects(), "The entries of the release log."),
                missing: try field(
                    "missing", \.missing, .objects(),
                    "Entries among these that cannot be read or are gone, the newest first."),
                next: try field.next(\.next))
        }
    }
}

/// Consecutive entries of the release log that are damaged or gone.
package struct MissingReleases: Message, Hashable {
    package let first: Int
    package let last: Int

    package init(first: Int, last: Int) { (self.first, self.last) = (first, last) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            first: try field("first", \.first, .integer(0...Int.max), "The number of the first one."),
            last: try field("last", \.last, .integer(0...Int.max), "The number of the last one."))
    }
}

/// One entry of the release log: a release, or the refusal of one.
package struct ReleaseReport: Message, Hashable {
    package let number: Int
    package let at: String
    package let bundleID: String
    package let assurance: String
    package let process: Int
    package let executable: String
    package let unit: String?
    package let method: String
    package let service: ServiceIdentifier?
    package let keychain: GrantedItems?
    package let object: String?
    package let grant: String?
    package let refused: String?
    package let evidence: String?

    package init(
        number: Int, at: String, bundleID: String, assurance: String, process: Int, executable: String, unit: String?,
        method: String, service: ServiceIdentifier?, keychain: GrantedItems? = nil, object: String?, grant: String?,
        refused: String?, evidence: String? = nil
    ) {
        self.evidence = evidence
        (self.number, self.at, self.bundleID, self.assurance) = (number, at, bundleID, assurance)
        (self.process, self.executable, self.unit, self.method) = (process, executable, unit, method)
        (self.service, self.keychain, self.object) = (service, keychain, object)
        (self.grant, self.refused) = (grant, refused)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            number: try field(
                "number", \.number, .integer(0...Int.max),
                "Counted from 1 in each vault; one that is left out is missing, or was dropped by size or age."),
            at: try field("at", \.at, .instant, "The time of the request."),
            bundleID: try field("bundleID", \.bundleID, .string(0...255), "The app."),
            assurance: try field(
                "assurance", \.assurance, .word(Words.assurances, 1...32),
                "How far the app's identity could be trusted."),
            process: try field("process", \.process, .integer(0...Int.max), "The number of the process."),
            executable: try field("executable", \.executable, .string(0...4096), "The program."),
            unit: try field(optional: "unit", \.unit, .string(0...4096), "The systemd unit of the program."),
            method: try field("method", \.method, .word(Words.methods, 1...64), "The method."),
            service: try field(optional: "service", \.service, .object(), "The site."),
            keychain: try field(
                optional: "keychain", \.keychain, .grantedItems, "Instead of a site: the keychain items."),
            object: try field(optional: "object", \.object, .id, "The object that was released."),
            grant: try field(optional: "grant", \.grant, .id, "The grant for the release."),
            refused: try field(
                optional: "refused", \.refused, .word(Words.reasons, 1...64),
                "The reason's code; absent for a release."),
            evidence: try field(
                optional: "evidence", \.evidence, .string(0...Limits.delegateEvidenceBytes),
                "What it was for, as the caller or the delegate stated it."))
    }
}
