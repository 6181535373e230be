// SPDX-License-Identifier: Apache-2.0

/// One setting; of `strongPasswords` also what holds for one app.
package struct SettingGet: ProvableCall {
    package typealias Answer = SettingReport
    package static let method = Method.settingGet
    package let setting: String
    package let app: String?
    package let proof: Proof?

    package init(setting: String, app: String? = nil, proof: Proof? = nil) {
        self.setting = setting
        self.app = app
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        setting = try members.string("setting", bytes: 1...64)
        app = try members.optionalString("app", bytes: 1...255)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("setting", setting)
        if let app { writer.member("app", app) }
        if let proof { writer.member("proof", proof) }
    }
}
