// SPDX-License-Identifier: Apache-2.0

/// The content of `/.flatpak-info` in a peer's root directory. The app inside can neither write nor replace that file.
package struct FlatpakInstance: Hashable, Sendable {
    package enum Malformed: Error, Hashable, Sendable {
        /// A line, from 1, that is not a line of a key file.
        case line(Int)
        /// `[Application] name=` is missing (a runtime on its own has none) or is not an app ID.
        case applicationID
    }

    /// `[Application] name`.
    package let appID: String
    /// `[Instance] instance-id`, a number that Flatpak draws at each start.
    package let instanceID: String?
    /// What is mounted at `/app`, as a path outside the sandbox.
    package let appPath: String?
    /// The deployed files of the app, where `/app` was replaced by a directory that the starter chose.
    package let originalAppPath: String?
    /// Made by `flatpak build`: a developer's sandbox, whose ID the developer chose.
    package let isBuild: Bool

    package init(
        appID: String, instanceID: String? = nil, appPath: String? = nil, originalAppPath: String? = nil,
        isBuild: Bool = false
    ) {
        self.appID = appID
        self.instanceID = instanceID
        self.appPath = appPath
        self.originalAppPath = originalAppPath
        self.isBuild = isBuild
    }

    package init(parsing bytes: some Collection<UInt8>) throws(Malformed) {
        let file: GLibKeyFile
        do throws(GLibKeyFile.Malformed) {
            file = try GLibKeyFile(parsing: bytes)
        } catch {
            throw .line(error.line)
        }
        guard let appID = file["Application", "name"], Self.isAppID(appID) else { throw .applicationID }
        self.init(
            appID: appID, instanceID: file["Instance", "instance-id"], appPath: file["Instance", "app-path"],
            originalAppPath: file["Instance", "original-app-path"], isBuild: file["Instance", "build"] == "true")
    }

    /// The directory of the installation of the deployed files: the path before `/app/ID/ARCH/BRANCH/COMMIT/files`. Nil
    /// when their path has another form.
    package var installationPath: String? {
        guard let path = originalAppPath ?? appPath, path.hasPrefix("/") else { return nil }
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard components.count > 7, !components.contains(".."), !components.dropFirst().contains("") else { return nil }
        let deployed = components.suffix(6)
        guard deployed.first == "app", Array(deployed)[1] == appID[...], deployed.last == "files" else { return nil }
        return components.dropLast(6).joined(separator: "/")
    }

    /// Flatpak's own rule: at least two components, letters, digits, `_` and `-`, no component starts with a digit; at
    /// most 255 bytes.
    private static func isAppID(_ name: String) -> Bool {
        let components = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return components.count >= 2 && name.utf8.count <= 255
            && components.allSatisfy { component in
                guard let first = component.first, !(0x30...0x39).contains(first) else { return false }
                return component.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
                    default: false
                    }
                }
            }
    }
}
