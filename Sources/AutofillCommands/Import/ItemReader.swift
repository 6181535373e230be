// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

/// A program that reads an item which was taken over, without asking.
enum ItemReader: Hashable, Comparable {
    /// Of a family that the administrator has named: it needs no grant.
    case family(path: String)
    /// A program of root's that is known to look for such items: it is granted each.
    case program(path: String)
    /// An app in a sandbox, to which the item says that it belongs: it is granted that.
    case app(bundleID: String)

    var name: String {
        switch self {
        case .family(let path), .program(let path): path
        case .app(let bundleID): bundleID
        }
    }

    /// Who is granted; nil where nobody is to be.
    var grantee: GrantAllow.Grantee? {
        switch self {
        case .family: nil
        case .program(let path): .program(path: path)
        case .app(let bundleID): .app(bundleID: bundleID)
        }
    }
}

/// Which programs read which items, as far as that can be known: by the families of this machine, and by how programs that people
/// have mark what they keep. Those that are not installed are left out. All others ask, once for all that their search finds.
struct ItemReaders {
    /// A mark, and where Debian and others install the program that makes it.
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
        families: [SecretFamily] = SecretFamilyDirectories().families,
        isInstalled: @escaping (String) -> Bool = isExecutable
    ) {
        (self.families, self.isInstalled) = (families, isInstalled)
    }

    /// In the order of their names; empty where whoever wants it asks.
    func of(_ item: KeyringItem) -> [ItemReader] {
        let schema = item.schema
        // What the portal keeps for an app in a sandbox has nothing else.
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
