// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Settings

extension SettingList: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "read all settings" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        Answer(settings: Setting.allCases.map { modules.report($0, isProven: request.isProven) })
    }
}
