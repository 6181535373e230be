// SPDX-License-Identifier: Apache-2.0

package struct SettingList: ProofCall {
    package static let declaration = MethodDeclaration(
        .settingList, "Lists all settings, with the value of each and who set it.", .open, proof: .instead,
        prompt: true,
        repeatable: true)
    package let proof: Proof?

    package init(proof: Proof? = nil) { self.proof = proof }

    package struct Answer: Message, Hashable {
        package let settings: [SettingReport]

        package init(settings: [SettingReport]) { self.settings = settings }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                settings: try field("settings", \.settings, .objects(), "The settings that decide about the app."))
        }
    }
}
