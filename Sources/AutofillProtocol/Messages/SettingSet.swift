// SPDX-License-Identifier: Apache-2.0

/// Changes one setting of the user; without a value it is as if nothing had been set.
package struct SettingSet: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.settingSet
    package let setting: String
    package let value: SettingValue?
    package let app: String?
    package let proof: Proof?

    package init(setting: String, value: SettingValue?, app: String? = nil, proof: Proof? = nil) {
        self.setting = setting
        self.value = value
        self.app = app
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        setting = try members.string("setting", bytes: 1...64)
        value = try members.optionalSettingValue("value")
        app = try members.optionalString("app", bytes: 1...255)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("setting", setting)
        if let value { writer.member("value", value) }
        if let app { writer.member("app", app) }
        if let proof { writer.member("proof", proof) }
    }
}
