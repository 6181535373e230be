// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import Settings

extension SettingList: JudgedCall {
    typealias Area = SettingMethods
    typealias Decision = Answer

    func promptText(_ views: SettingViews) -> String? { "read all settings" }

    func judge(_ views: SettingViews, _ request: RequestView) -> Answer {
        Answer(settings: Setting.allCases.map { views.report($0, isProven: request.isProven) })
    }
}
