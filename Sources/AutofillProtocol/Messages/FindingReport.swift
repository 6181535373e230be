// SPDX-License-Identifier: Apache-2.0

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
