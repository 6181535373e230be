// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

/// A program that reads an imported item without a prompt.
enum ItemReader: Hashable, Comparable {
    /// Of a family that the administrator has defined: it needs no grant.
    case family(path: String)
    /// A root-owned program that is recorded to search for such items: it gets a grant for each.
    case program(path: String)
    /// A sandboxed app that the item names as its owner: it gets a grant.
    case app(bundleID: String)

    var name: String {
        switch self {
        case .family(let path), .program(let path): path
        case .app(let bundleID): bundleID
        }
    }

    /// The app or program that gets a grant; nil if none is needed.
    var grantee: GrantAllow.Grantee? {
        switch self {
        case .family: nil
        case .program(let path): .program(path: path)
        case .app(let bundleID): .app(bundleID: bundleID)
        }
    }
}

/// Which programs read which items, as far as it can be derived: from the families of this machine, and from the marks
/// that common programs set on their items. Programs that are not installed are left out. All others prompt, once for
/// all items that their search finds.
struct ItemReaders {
    /// A mark, and the path of the program that sets it in Debian and other distributions.
    private struct Mark {
        let attributes: [String: String]
        let paths: [String]

        init(_ schema: String, _ others: [String: String] = [:], _ paths: String...) {
            attributes = others.merging([SecretServiceNames.schema: schema]) { $1 }
            self.paths = paths
        }
    }

    private static let marks: [Mark] =
        ["chrome_libsecret_os_crypt_password_v2", "chrome_libsecret_os_crypt_password"].flatMap { schema in
            [
                Mark(schema, ["application": "chromium"], "/usr/lib/chromium/chromium"),
                Mark(schema, ["application": "chrome"], "/opt/google/chrome/chrome"),
                Mark(schema, ["application": "brave"], "/opt/brave.com/brave/brave"),
            ]
        }
        + ["smb", "sftp", "ftp", "ftps", "dav", "afp"].map { kind in
            Mark(
                "org.gnome.keyring.NetworkPassword", ["protocol": kind], "/usr/libexec/gvfsd-\(kind)",
                "/usr/lib/gvfs/gvfsd-\(kind)")
        }
        + [
            Mark(
                "org.git.Password", [:], "/usr/lib/git-core/git-credential-libsecret",
                "/usr/libexec/git-core/git-credential-libsecret", "/usr/local/bin/git-credential-libsecret"),
            Mark("org.remmina.Password", [:], "/usr/bin/remmina"),
            Mark("org.epiphany.FormPassword", [:], "/usr/bin/epiphany", "/usr/bin/epiphany-browser"),
            Mark("org.gnome.Epiphany.SyncSecrets", [:], "/usr/bin/epiphany", "/usr/bin/epiphany-browser"),
            Mark("org.gnome.Geary", [:], "/usr/bin/geary"),
            Mark(
                "org.gnome.RemoteDesktop.RdpCredentials", [:], "/usr/libexec/gnome-remote-desktop-daemon",
                "/usr/bin/gnome-control-center"),
            Mark(
                "org.gnome.RemoteDesktop.VncPassword", [:], "/usr/libexec/gnome-remote-desktop-daemon",
                "/usr/bin/gnome-control-center"),
        ]
    private static let sshAgents = ["/usr/libexec/gcr-ssh-agent", "/usr/lib/gcr-ssh-agent"]

    private let families: [SecretFamily]
    private let isInstalled: (String) -> Bool

    init(
        families: [SecretFamily] = SecretFamilyDirectories().declarations,
        isInstalled: @escaping (String) -> Bool = isExecutable
    ) {
        (self.families, self.isInstalled) = (families, isInstalled)
    }

    /// In the order of their names; empty if every program has to prompt.
    func of(_ item: KeyringItem) -> [ItemReader] {
        let schema = item.schema
        // An item of the portal for a sandboxed app has no other attribute.
        if let app = item.attributes["app_id"],
            item.attributes.count(where: { $0.key != SecretServiceNames.schema }) == 1
        {
            return [.app(bundleID: app)]
        }
        var readers: [ItemReader] = []
        for family in families where family.schemas.contains(schema) {
            readers += family.executables.map(\.text).filter(isInstalled).map(ItemReader.family)
        }
        var paths: [String] = []
        for mark in Self.marks where mark.attributes.allSatisfy({ item.attributes[$0.key] == $0.value }) {
            paths += mark.paths
        }
        if item.attributes["unique"]?.hasPrefix("ssh-store:") == true { paths += Self.sshAgents }
        return Set(readers + paths.filter(isInstalled).map(ItemReader.program)).sorted()
    }
}
