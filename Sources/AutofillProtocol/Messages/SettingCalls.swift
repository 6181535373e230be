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

/// One setting, as `setting.list` tells it.
package struct SettingReport: WireValue, Hashable {
    package let setting: String
    /// What is in force; nil where nothing is set, and where it is hidden.
    package let value: SettingValue?
    /// Whether it is shown with proof only.
    package let isHidden: Bool
    /// What is in force where nobody has set anything.
    package let standard: SettingValue?
    /// `default`, `administrator` or `user`.
    package let source: String
    /// Whether the administrator alone can change it.
    package let isMandatory: Bool
    /// One sentence for people.
    package let summary: String

    package init(
        setting: String, value: SettingValue?, isHidden: Bool, standard: SettingValue?, source: String,
        isMandatory: Bool, summary: String
    ) {
        self.setting = setting
        self.value = value
        self.isHidden = isHidden
        self.standard = standard
        self.source = source
        self.isMandatory = isMandatory
        self.summary = summary
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        setting = try members.string("setting", bytes: 1...64)
        value = try members.optionalSettingValue("value")
        isHidden = try members.bool("hidden")
        standard = try members.optionalSettingValue("default")
        source = try members.string("source", bytes: 1...32)
        isMandatory = try members.bool("mandatory")
        summary = try members.string("summary", bytes: 0...1024)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("setting", setting)
        writer.member("value", orNull: value)
        writer.member("hidden", isHidden)
        writer.member("default", orNull: standard)
        writer.member("source", source)
        writer.member("mandatory", isMandatory)
        writer.member("summary", summary)
    }
}
