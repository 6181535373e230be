// SPDX-License-Identifier: Apache-2.0

/// The evidence of the claimed bundle ID's registration, in plain values.
package struct RegistrationEvidence: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        /// Root owns the file and every directory above it.
        case administrator
        /// The deployed files of the Flatpak itself.
        case flatpak
        /// The user's own file.
        case user
    }

    package let origin: Origin
    /// The executables it names; none means that it does not restrict them.
    package let executables: [RegisteredExecutable]

    package init(origin: Origin, executables: [RegisteredExecutable]) {
        self.origin = origin
        self.executables = executables
    }
}

/// An executable that a registration names, and the file at its path now.
package struct RegisteredExecutable: Hashable, Sendable {
    /// The path as registered.
    package let path: String
    /// The path of the file there, free of links: what the kernel calls it when it runs. `path` where there is none.
    package let target: String
    /// The file at that path, symbolic links followed; nil when there is none, or none that may be inspected.
    package let identity: ExecutableIdentity?
    /// Whether root owns the file and every directory on its path, and no other user may change any of them.
    package let isRootOwned: Bool
    /// Whether it starts with `#!`: then what runs is its interpreter, and the two can never be the same file.
    package let isScript: Bool
    /// Whether it is machine code; else an interpreter runs it, whether it says so or not.
    package let isBinary: Bool
    /// Whether it is an AppImage: then the running program is in the image that it mounts.
    package let isAppImage: Bool
    /// Whether a program of the user's serves the file (FUSE): then nothing else is known of it.
    package let isServed: Bool
    /// When anything about the file was last changed, as in `ContentVersion`.
    package let changed: Int64

    package init(
        path: String, target: String? = nil, identity: ExecutableIdentity?, isRootOwned: Bool, isScript: Bool = false,
        isBinary: Bool = true, isAppImage: Bool = false, isServed: Bool = false, changed: Int64 = 0
    ) {
        self.path = path
        self.target = target ?? path
        self.identity = identity
        self.isRootOwned = isRootOwned
        self.isScript = isScript
        self.isBinary = isBinary
        self.isAppImage = isAppImage
        self.isServed = isServed
        self.changed = changed
    }

    /// The file there as it is now; nil when there is none.
    package var version: ContentVersion? { identity.map { ContentVersion(identity: $0, changed: changed) } }
}
