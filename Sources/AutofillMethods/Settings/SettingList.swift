// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Settings

extension SettingList: JudgedCall {
    typealias Area = SettingMethods
    typealias Decision = Answer

    func promptText(_ views: SettingViews) -> String? { "read all settings" }

    func judge(_ views: SettingViews, _ request: RequestView) -> Answer {
        Answer(settings: Setting.allCases.map { views.report($0, isProven: request.isProven) })
    }
}
