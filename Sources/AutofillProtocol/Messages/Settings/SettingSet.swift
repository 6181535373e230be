// SPDX-License-Identifier: Apache-2.0

package struct SettingSet: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .settingSet, "Changes one setting of the user; without a value it is unset.", .administer,
        proof: .toWeaken, prompt: true, repeatable: true)
    package let setting: String
    package let value: SettingValue?
    package let app: String?
    package let proof: Proof?

    package init(setting: String, value: SettingValue?, app: String? = nil, proof: Proof? = nil) {
        (self.setting, self.value, self.app, self.proof) = (setting, value, app, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            setting: try field("setting", \.setting, .string(1...64), "The name of the setting."),
            value: try field(
                optional: "value", \.value, .settingValue, "Absent or null: as if the user had set nothing."),
            app: try field(
                optional: "bundleID", \.app, .string(1...255), "With `strongPasswords`: for this app alone."),
            proof: try field.proof(\.proof))
    }
}
