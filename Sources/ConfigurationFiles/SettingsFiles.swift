// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
import Glibc
import PathInspection
package import Settings

/// The administrator's settings and the user's, which the service changes by itself too.
package struct SettingsFiles: Sendable {
    /// nil where there is no administrator: a service for tests.
    package let administrator: String?
    package let user: String
    private let userID: UInt32
    private let withoutAdministrator: SettingsDocument

    /// - Parameter withoutAdministrator: replaces the administrator's settings where there is no administrator.
    package init(
        administrator: String?, user: String, userID: UInt32,
        withoutAdministrator: SettingsDocument = SettingsDocument()
    ) {
        self.administrator = administrator
        self.user = user
        self.userID = userID
        self.withoutAdministrator = withoutAdministrator
    }

    /// Reads both; either may be missing.
    package func load() throws(ConfigurationFileProblem) -> SettingsLayers {
        var above = withoutAdministrator
        if let administrator {
            above = try SettingsFile.document(administrator, of: .administrator, userID: userID)
        }
        return SettingsLayers(
            administrator: above, user: try SettingsFile.document(user, of: .user, userID: userID))
    }

    /// Writes one setting to the user's file, or removes it with nil. The other members are kept as they are, in their
    /// order; a file with mistakes is not changed. In one step, readable by the user only (0600); a link is followed.
    package func write(_ setting: Setting, _ value: ConfigurationValue?) throws(ConfigurationFileProblem) {
        _ = try SettingsFile.document(user, of: .user, userID: userID)
        var members: [ConfigurationValue.Member] = []
        if case .object(let old)? = try SettingsFile.content(of: user, userID: userID) { members = old }
        let index = members.firstIndex { $0.name == setting.name }
        if let value {
            let member = ConfigurationValue.Member(name: setting.name, value: value)
            if let index { members[index] = member } else { members.append(member) }
        } else if let index {
            members.remove(at: index)
        }
        let bytes = ConfigurationValue.object(members).lines
        do {
            let target = try Self.destination(of: user)
            _ = try Descriptor.open(target.directory, O_RDONLY | O_DIRECTORY).replace(target.name, with: bytes)
        } catch {
            throw ConfigurationFileProblem(file: user, cannotBe: "written", error)
        }
    }

    /// The file's directory, which is created if missing, and its name in it.
    private static func destination(of path: String) throws(SystemCallFailure) -> (directory: String, name: String) {
        do throws(SystemCallFailure) {
            let walk = try PathWalk(to: path)
            guard let file = walk.file else { throw SystemCallFailure(code: EISDIR) }
            return (walk.directory.point.path, String(decoding: file.name, as: UTF8.self))
        } catch  where error.isMissing {
            let slash = path.lastIndex(of: "/")
            let directory = slash.map { String(path[..<$0]) } ?? "."
            try Descriptor.createDirectory(directory)
            return (directory.isEmpty ? "/" : directory, slash.map { String(path[path.index(after: $0)...]) } ?? path)
        }
    }
}
