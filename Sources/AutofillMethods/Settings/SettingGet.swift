// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import ConfigurationFiles
internal import Reasons
internal import Settings

extension SettingGet: JudgedCall {
    typealias Area = SettingMethods
    typealias Decision = SettingReport

    func promptText(_ views: SettingViews) -> String? { "read the setting \(shown(setting))" }

    func judge(_ views: SettingViews, _ request: RequestView) throws(Unsettled) -> SettingReport {
        let named: (setting: Setting, app: BundleIdentifier?)
        do throws(RefusedRequest) { named = try SettingViews.named(self.setting, for: self.app) } catch {
            throw Unsettled(error)
        }
        let setting = named.setting
        guard let app = named.app else {
            guard request.isProven || !setting.isPrivate else { throw Unsettled(.proofRequired) }
            return views.report(setting, isProven: request.isProven)
        }
        // An app may read what holds for itself.
        guard request.isProven || request.bundleID == app else { throw Unsettled(.proofRequired) }
        let layers = views.settings.layers
        let isListed = layers.effective.strongPasswordsByApp[app] != nil
        let decisive: Setting = isListed ? .strongPasswordsByApp : .strongPasswords
        return SettingReport(
            setting: setting.name, value: .bool(layers.effective.offersStrongPasswords(to: app)), isHidden: false,
            standard: SettingValue(setting.defaultValue), source: layers.source(of: decisive).rawValue,
            isMandatory: layers.isMandatory(.strongPasswordsByApp), summary: setting.summary)
    }
}
