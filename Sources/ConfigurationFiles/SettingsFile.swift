// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import Settings

/// Reads a file of settings.
enum SettingsFile {
    /// The file's content; empty where it is missing. Only files that only root can write name prompters.
    ///
    /// - Parameter userID: the user; a file that another user than root or the user could have written is refused.
    static func document(
        _ path: String, of owner: SettingsDocument.Owner, userID: UInt32
    ) throws(ConfigurationFileProblem) -> SettingsDocument {
        guard let file = try read(path, userID: userID) else { return SettingsDocument() }
        let document: SettingsDocument
        do {
            document = try SettingsDocument(file.value, of: owner)
        } catch {
            throw ConfigurationFileProblem(file: path, mistakes: error.mistakes)
        }
        guard document.prompters.isEmpty || file.owner == .root else {
            throw ConfigurationFileProblem(
                file: path, reason: "It names prompters, and others than root could have put it there.",
                fix: "Name them in a file that root alone can change, such as \(StandardPaths.systemSettings).")
        }
        return document
    }

    /// Its JSON; nil where it is missing.
    static func content(of path: String, userID: UInt32) throws(ConfigurationFileProblem) -> ConfigurationValue? {
        try read(path, userID: userID)?.value
    }

    private static func read(
        _ path: String, userID: UInt32
    ) throws(ConfigurationFileProblem) -> (value: ConfigurationValue, owner: Registration.Owner)? {
        let file: ConfigurationFile
        do {
            file = try ConfigurationFile(at: path)
        } catch  where error.isMissing {
            return nil
        }
        let owner = try file.owner(trusting: FileTrust(userID: userID))
        return (try ConfigurationValue(json: file.bytes, file: path), owner)
    }
}
