// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

/// Reads one registration.
package enum RegistrationFile {
    /// Reads a file that may not be installed yet: neither its location nor its name is checked.
    ///
    /// - Parameters:
    ///   - owner: the future owner of the registration: a user's own may declare less.
    ///   - suffixes: domains that are refused; nil where no list is available.
    package static func check(
        _ path: String, as owner: Registration.Owner, refusing suffixes: PublicSuffixList?
    ) throws(ConfigurationFileProblem) -> Registration.Checked {
        try decode(try ConfigurationFile(at: path), as: owner, stem: nil, refusing: suffixes)
    }

    /// Reads an installed file. Its location determines its owner; its name must be its bundle ID.
    ///
    /// - Parameters:
    ///   - userID: the user whose files are accepted besides root's.
    ///   - suffixes: domains that are refused; nil where no list is available.
    package static func load(
        _ path: String, userID: UInt32, refusing suffixes: PublicSuffixList?
    ) throws(ConfigurationFileProblem) -> Registration.Checked {
        guard let stem = ConfigurationDirectory.stem(of: String(path.split(separator: "/").last ?? "")) else {
            throw ConfigurationFileProblem(
                file: path, reason: "The name is not that of a registration.",
                fix: "Name it after its bundle ID, with .json at the end.")
        }
        let file = try ConfigurationFile(at: path)
        let owner = try file.owner(trusting: FileTrust(userID: userID))
        return try decode(file, as: owner, stem: stem, refusing: suffixes)
    }

    static func decode(
        _ file: ConfigurationFile, as owner: Registration.Owner, stem: String?, refusing suffixes: PublicSuffixList?
    ) throws(ConfigurationFileProblem) -> Registration.Checked {
        let value = try ConfigurationValue(json: file.bytes, file: file.path)
        do {
            return try Registration.decode(
                value, origin: Registration.Origin(file: file.path, owner: owner), stem: stem, refusing: suffixes)
        } catch {
            throw ConfigurationFileProblem(file: file.path, mistakes: error.mistakes)
        }
    }
}
