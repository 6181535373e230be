// SPDX-License-Identifier: Apache-2.0

/// A browser that is known: its bundle ID, where its program is, and where it looks for native messaging hosts.
package struct KnownBrowser: Hashable, Sendable {
    package enum Family: String, Hashable, Sendable { case chromium, firefox }

    package let family: Family
    package let name: String
    /// Of its registration, which the package brings.
    package let bundleID: String
    /// Absolute paths of the program as it runs; a launcher's script is none.
    package let executables: [String]
    /// Where host manifests are for everybody on the machine.
    package let systemManifests: String
    /// The same for one user, below the home directory.
    package let userManifests: String
    /// The folder from which the browser loads the extension by itself, as the package puts it there; nil where there is none.
    package let systemExtension: String?
    /// A file of the distribution's without which it does not.
    package let extensionReader: String?

    package static let all = [
        KnownBrowser(
            family: .chromium, name: "Chromium", bundleID: "org.chromium.Chromium",
            executables: ["/usr/lib/chromium/chromium"], systemManifests: "/etc/chromium/native-messaging-hosts",
            userManifests: ".config/chromium/NativeMessagingHosts",
            systemExtension: "/usr/share/chromium/extensions/autofilld", extensionReader: "/etc/chromium.d/extensions"),
        KnownBrowser(
            family: .chromium, name: "Google Chrome", bundleID: "com.google.Chrome",
            executables: ["/opt/google/chrome/chrome"], systemManifests: "/etc/opt/chrome/native-messaging-hosts",
            userManifests: ".config/google-chrome/NativeMessagingHosts", systemExtension: nil, extensionReader: nil),
        KnownBrowser(
            family: .firefox, name: "Firefox", bundleID: "org.mozilla.firefox",
            executables: ["/usr/lib/firefox-esr/firefox-esr", "/usr/lib/firefox/firefox", "/opt/firefox/firefox"],
            systemManifests: "/usr/lib/mozilla/native-messaging-hosts",
            userManifests: ".mozilla/native-messaging-hosts",
            systemExtension:
                "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/\(HostManifest.firefoxID)",
            extensionReader: nil),
    ]

    /// The browser whose program this is.
    package static func running(_ executable: String) -> KnownBrowser? {
        all.first { $0.executables.contains(executable) }
    }

    /// The browser that the arguments of a host speak of: Chromium gives the extension's origin first, Firefox the manifest and
    /// the extension's ID. nil where it is not our extension.
    package static func calling(_ arguments: some Collection<String>) -> KnownBrowser? {
        let words = Array(arguments)
        if words.first == "chrome-extension://\(HostManifest.chromiumID)/" { return all[0] }
        if words.count > 1, words[1] == HostManifest.firefoxID { return all.first { $0.family == .firefox } }
        return nil
    }
}
