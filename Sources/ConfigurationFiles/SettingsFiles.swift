// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
import Glibc
import PathInspection
package import Settings

/// The administrator's settings and the user's, which the service changes by itself too.
package struct SettingsFiles: Sendable {
    /// nil where no administrator has a say: a service for tests.
    package let administrator: String?
    package let user: String
    private let userID: UInt32
    private let withoutAdministrator: SettingsDocument

    /// - Parameter withoutAdministrator: what holds in the administrator's place where none has a say.
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

    /// Puts one setting into the user's file, or takes it out with nil. The other members stay as they are, in their
    /// order; a file with mistakes is not touched. In one step, for the user alone (0600); a link is followed.
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
            let place = try Self.place(of: user)
            _ = try Descriptor.open(place.directory, O_RDONLY | O_DIRECTORY).replace(place.name, with: bytes)
        } catch {
            throw ConfigurationFileProblem(file: user, cannotBe: "written", error)
        }
    }

    /// Where the file is, or is to be: the directory, made where it is missing, and the name in it.
    private static func place(of path: String) throws(SystemCallFailure) -> (directory: String, name: String) {
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
