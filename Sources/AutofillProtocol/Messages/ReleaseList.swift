// SPDX-License-Identifier: Apache-2.0

/// The record of releases, the newest first, page by page.
package struct ReleaseList: ProvableCall {
    package static let method = Method.releaseList
    package let page: PageRequest
    package let proof: Proof?

    package init(page: PageRequest = PageRequest(), proof: Proof?) {
        self.page = page
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        page = try PageRequest(from: &members)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        page.write(to: &writer)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let releases: [ReleaseReport]
        package let next: String?

        package init(releases: [ReleaseReport], next: String?) {
            self.releases = releases
            self.next = next
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            releases = try members.values("releases")
            next = try members.optionalString("next", bytes: 1...256)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("releases", releases)
            writer.member("next", orNull: next)
        }
    }
}

/// One entry of the record: who got something, or was refused it.
package struct ReleaseReport: WireValue, Hashable {
    /// Counted from 1 in each vault; none is left out.
    package let number: Int
    package let at: String
    package let bundleID: String
    package let assurance: String
    package let process: Int
    package let executable: String
    package let unit: String?
    package let method: String
    package let service: ServiceIdentifier?
    /// What was given out.
    package let object: String?
    /// The grant under which it was.
    package let grant: String?
    /// The reason's name; nil where it was given.
    package let refused: String?

    package init(
        number: Int, at: String, bundleID: String, assurance: String, process: Int, executable: String, unit: String?,
        method: String, service: ServiceIdentifier?, object: String?, grant: String?, refused: String?
    ) {
        self.number = number
        self.at = at
        self.bundleID = bundleID
        self.assurance = assurance
        self.process = process
        self.executable = executable
        self.unit = unit
        self.method = method
        self.service = service
        self.object = object
        self.grant = grant
        self.refused = refused
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        number = try members.integer("number", in: 0...Int.max)
        at = try members.string("at", bytes: 1...64)
        bundleID = try members.string("bundleID", bytes: 0...255)
        assurance = try members.string("assurance", bytes: 1...32)
        process = try members.integer("process", in: 0...Int.max)
        executable = try members.string("executable", bytes: 0...4096)
        unit = try members.optionalString("unit", bytes: 0...4096)
        method = try members.string("method", bytes: 1...64)
        service = try members.optionalValue("service")
        object = try members.optionalString("object", bytes: 1...64)
        grant = try members.optionalString("grant", bytes: 1...64)
        refused = try members.optionalString("refused", bytes: 1...64)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("number", number)
        writer.member("at", at)
        writer.member("bundleID", bundleID)
        writer.member("assurance", assurance)
        writer.member("process", process)
        writer.member("executable", executable)
        writer.member("unit", orNull: unit)
        writer.member("method", method)
        if let service { writer.member("service", service) }
        writer.member("object", orNull: object)
        writer.member("grant", orNull: grant)
        writer.member("refused", orNull: refused)
    }
}
