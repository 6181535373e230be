// SPDX-License-Identifier: Apache-2.0

/// All settings, with what is in force and whose word it is.
package struct SettingList: ProvableCall {
    package static let method = Method.settingList
    package let proof: Proof?

    package init(proof: Proof? = nil) { self.proof = proof }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let settings: [SettingReport]

        package init(settings: [SettingReport]) { self.settings = settings }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            settings = try members.values("settings")
        }

        package func write(to writer: inout JSONWriter) { writer.member("settings", settings) }
    }
}
