// SPDX-License-Identifier: Apache-2.0

/// The file that declares an app, as read and checked: what a provisioning profile is on iOS.
package struct Registration: Hashable, Sendable {
    /// The owner of the file.
    package enum Owner: String, Sendable {
        /// Root: the file and every directory above it are owned by root and writable by no other user.
        case root
        /// The user of the daemon, or a program of theirs.
        case user
        /// The author of the Flatpak that contains the file, in any installation.
        case flatpak
    }

    package struct Origin: Hashable, Sendable {
        package let file: String
        package let owner: Owner

        package init(file: String, owner: Owner) {
            self.file = file
            self.owner = owner
        }
    }

    /// Executables at most.
    package static let executableLimit = 64

    package let bundleID: BundleIdentifier
    package let name: AppName
    /// The executables of the app. May be empty: then its processes are identified by sandbox or unit only.
    package let executables: [AbsolutePath]
    package let entitlements: AppEntitlements
    package let forms: [DeclaredForm]
    package let origin: Origin

    package init(
        bundleID: BundleIdentifier, name: AppName, executables: [AbsolutePath] = [],
        entitlements: AppEntitlements = AppEntitlements(), forms: [DeclaredForm] = [], origin: Origin
    ) {
        self.bundleID = bundleID
        self.name = name
        self.executables = executables
        self.entitlements = entitlements
        self.forms = forms
        self.origin = origin
    }

    /// The keychain access groups that the app may access: its own first, then the ones it lists.
    package var accessGroups: [BundleIdentifier] {
        [bundleID] + entitlements.keychainAccessGroups.filter { $0 != bundleID }
    }

    /// The entry that covers the domain: the exact name before a wildcard, a longer wildcard before a shorter one, and
    /// of two equal ones the one without developer mode.
    package func answers(for domain: DomainName) -> AssociatedDomain? {
        entitlements.associatedDomains.filter { $0.covers(domain) }.max { left, right in
            (left.domain.labels.count, left.isDeveloperMode ? 0 : 1)
                < (right.domain.labels.count, right.isDeveloperMode ? 0 : 1)
        }
    }
}
