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
        guard let value = try content(of: path, userID: userID) else { return base }
        do {
            return try DaemonSettings.decode(value, over: base)
        } catch {
            throw ConfigurationFileProblem(file: path, mistakes: error.mistakes)
        }
    }

    /// What the file says; nothing where it is missing.
    static func document(
        _ path: String, of owner: SettingsDocument.Owner, userID: UInt32
    ) throws(ConfigurationFileProblem) -> SettingsDocument {
        guard let value = try content(of: path, userID: userID) else { return SettingsDocument() }
        do {
            return try SettingsDocument(value, of: owner)
        } catch {
            throw ConfigurationFileProblem(file: path, mistakes: error.mistakes)
        }
    }

    /// Its JSON; nil where it is missing.
    static func content(of path: String, userID: UInt32) throws(ConfigurationFileProblem) -> ConfigurationValue? {
        let file: ConfigurationFile
        do {
            file = try ConfigurationFile(at: path)
        } catch  where error.isMissing {
            return nil
        }
        _ = try file.owner(trusting: FileTrust(userID: userID))
        return try ConfigurationValue(json: file.bytes, file: path)
    }
}
