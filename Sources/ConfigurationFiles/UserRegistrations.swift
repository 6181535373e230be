// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
import Glibc
import PathInspection

/// The user's own directory of registrations, where `autofillctl app register` and `app remove` work.
package struct UserRegistrations: Sendable {
    package enum Change: String, Sendable {
        case added, replaced, unchanged
    }

    private let directory: String
    private let userID: UInt32

    /// - Parameters:
    ///   - directory: created if missing, accessible to the user only.
    ///   - userID: the user.
    package init(directory: String, userID: UInt32) {
        self.directory = directory
        self.userID = userID
    }

    /// Copies a registration here, named by its bundle ID. It is checked first, and then stored in one step or not at
    /// all.
    ///
    /// - Parameter suffixes: domains that are refused; nil where no list is available.
    package func register(
        _ path: String, refusing suffixes: PublicSuffixList?
    ) throws(ConfigurationFileProblem) -> (checked: Registration.Checked, change: Change) {
        let source = try ConfigurationFile(at: path)
        let bundleID = try RegistrationFile.decode(
            source, as: .user, stem: nil, refusing: suffixes
        ).registration.bundleID
        let target = self.path(of: bundleID)
        var change = Change.unchanged
        if (try? ConfigurationFile(at: target))?.bytes != source.bytes {
            do {
                try Descriptor.createDirectory(directory)
                change = try open().replace(name(of: bundleID), with: source.bytes) ? .replaced : .added
            } catch {
                throw ConfigurationFileProblem(file: target, cannotBe: "written", error)
            }
        }
        return (try RegistrationFile.load(target, userID: userID, refusing: suffixes), change)
    }

    /// Removes a registration.
    ///
    /// - Returns: whether there was one.
    package func remove(_ bundleID: BundleIdentifier) throws(ConfigurationFileProblem) -> Bool {
        do {
            return try open().remove(name(of: bundleID))
        } catch  where error.isMissing {
            return false
        } catch {
            throw ConfigurationFileProblem(file: path(of: bundleID), cannotBe: "removed", error)
        }
    }

    private func open() throws(SystemCallFailure) -> Descriptor {
        try Descriptor.open(directory, O_RDONLY | O_DIRECTORY)
    }

    private func name(of bundleID: BundleIdentifier) -> String { bundleID.text + ".json" }

    private func path(of bundleID: BundleIdentifier) -> String { "\(directory)/\(name(of: bundleID))" }
}
