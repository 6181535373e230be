// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
package import Settings

/// Reads a file of settings.
package enum SettingsFile {
    /// - Parameters:
    ///   - base: what holds where the file says nothing, or is missing.
    ///   - userID: the user; a file that anybody but root or the user could have written is refused.
    package static func load(
        _ path: String, over base: DaemonSettings = DaemonSettings(), userID: UInt32
    ) throws(ConfigurationFileProblem) -> DaemonSettings {
        let file: ConfigurationFile
        do {
            file = try ConfigurationFile(at: path)
        } catch  where error.isMissing {
            return base
        }
        _ = try file.owner(trusting: FileTrust(userID: userID))
        let value = try ConfigurationValue(json: file.bytes, file: path)
        do {
            return try DaemonSettings.decode(value, over: base)
        } catch {
            throw ConfigurationFileProblem(file: path, mistakes: error.mistakes)
        }
    }
}
