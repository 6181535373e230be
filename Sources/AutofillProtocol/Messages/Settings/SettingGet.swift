// SPDX-License-Identifier: Apache-2.0

package struct SettingGet: ProvableCall {
    package typealias Answer = SettingReport
    package static let declaration = MethodDeclaration(
        .settingGet, "Returns one setting; of `strongPasswords` also the value for one app.", .open, proof: .instead,
        prompt: true, repeatable: true)
    package let setting: String
    package let app: String?
    package let proof: Proof?

    package init(setting: String, app: String? = nil, proof: Proof? = nil) {
        (self.setting, self.app, self.proof) = (setting, app, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            setting: try field("setting", \.setting, .string(1...64), "The name of the setting."),
            app: try field(
                optional: "bundleID", \.app, .string(1...255),
                "With `strongPasswords`: what holds for this app. Its own an app may know."),
            proof: try field.proof(\.proof))
    }
}
