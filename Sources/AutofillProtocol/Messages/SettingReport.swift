// SPDX-License-Identifier: Apache-2.0

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
