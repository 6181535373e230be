// SPDX-License-Identifier: Apache-2.0

/// One setting, as `admin.setting.list` returns it.
package struct SettingReport: Message, Hashable {
    package let setting: String
    package let value: SettingValue?
    package let isHidden: Bool
    package let standard: SettingValue?
    package let source: String
    package let isMandatory: Bool
    package let summary: String

    package init(
        setting: String, value: SettingValue?, isHidden: Bool, standard: SettingValue?, source: String,
        isMandatory: Bool, summary: String
    ) {
        (self.setting, self.value, self.isHidden, self.standard) = (setting, value, isHidden, standard)
        (self.source, self.isMandatory, self.summary) = (source, isMandatory, summary)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            setting: try field("setting", \.setting, .string(1...64), "The name of the setting."),
            value: try field(
                optional: "value", \.value, .settingValue,
                "The value; absent if nothing is set, and if it is hidden."),
            isHidden: try field(
                "hidden", \.isHidden, .boolean,
                "Whether the value is shown with proof only, because it names other apps or files."),
            standard: try field(
                optional: "default", \.standard, .settingValue, "The default value."),
            source: try field(
                "source", \.source, .word(Words.settingSources, 1...32), "`default`, `administrator` or `user`."),
            isMandatory: try field(
                "mandatory", \.isMandatory, .boolean, "Whether the administrator alone can change it."),
            summary: try field("summary", \.summary, .string(0...1024), "A sentence for people."))
    }
}
