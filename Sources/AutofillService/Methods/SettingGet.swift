// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Reasons
internal import Settings

extension SettingGet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "read the setting \(shown(setting))" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> SettingReport {
        let setting = try modules.setting(named: setting)
        guard let app = try modules.app(app, of: setting) else {
            guard request.isProven || !setting.isPrivate else { throw RefusedRequest(.proofRequired) }
            return modules.report(setting, isProven: request.isProven)
        }
        // An app may know what holds for itself.
        guard request.isProven || request.session.app?.bundleID == app else { throw RefusedRequest(.proofRequired) }
        let layers = modules.settings.layers
        let isListed = layers.effective.strongPasswordsByApp[app] != nil
        let decisive: Setting = isListed ? .strongPasswordsByApp : .strongPasswords
        return SettingReport(
            setting: setting.name, value: .bool(layers.effective.offersStrongPasswords(to: app)), isHidden: false,
            standard: SettingValue(setting.defaultValue), source: layers.source(of: decisive).rawValue,
            isMandatory: layers.isMandatory(.strongPasswordsByApp), summary: setting.summary)
    }
}
