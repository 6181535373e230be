// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
import Glibc

extension RegistrationFile {
    /// The registration that a Flatpak contains in its own files, `share/autofilld/apps/<ID>.json`.
    ///
    /// - Parameters:
    ///   - files: the deployed files of the app, in an installation that was verified.
    ///   - userID: the user whose files are accepted besides root's.
    /// - Returns: nil where it contains none; else the registration, or its mistakes.
    package static func deployed(
        by bundleID: BundleIdentifier, in files: String, userID: UInt32
    ) -> Result<Registration, ConfigurationFileProblem>? {
        let path = "\(files)/share/autofilld/apps/\(bundleID).json"
        // A link out of the deployed files would lead to what the app can change, or must not know.
        guard let real = resolved(path), let root = resolved(files), real.hasPrefix(root + "/") else { return nil }
        return Result { () throws(ConfigurationFileProblem) in
            let file = try ConfigurationFile(at: path)
            _ = try file.owner(trusting: FileTrust(userID: userID))
            // The file may be owned by root; its content is that of the app's author.
            return try decode(file, as: .flatpak, stem: bundleID.text, refusing: PublicSuffixList.installed())
                .registration
        }
    }

    /// A path without links; nil where there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
