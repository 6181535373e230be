// SPDX-License-Identifier: Apache-2.0

/// A supported browser: its bundle ID, the paths of its program, and the directories of its native messaging hosts.
package struct SupportedBrowser: Hashable, Sendable {
    package enum Family: String, Hashable, Sendable { case chromium, firefox }

    package let family: Family
    package let name: String
    /// The bundle ID of its registration, which the package installs.
    package let bundleID: String
    /// Absolute paths of the running program, not of a launcher's script.
    package let executables: [String]
    /// The directory of host manifests for all users of the machine.
    package let systemManifests: String
    /// The same for one user, below the home directory.
    package let userManifests: String
    /// The path from which the browser loads the packaged extension without user action; nil if it loads none.
    package let systemExtension: String?
    /// The distribution's file that makes the browser load it.
    package let extensionReader: String?

    package static let all = [
        SupportedBrowser(
            family: .chromium, name: "Chromium", bundleID: "org.chromium.Chromium",
            executables: ["/usr/lib/chromium/chromium"], systemManifests: "/etc/chromium/native-messaging-hosts",
            userManifests: ".config/chromium/NativeMessagingHosts",
            systemExtension: "/usr/share/chromium/extensions/autofilld", extensionReader: "/etc/chromium.d/extensions"),
        SupportedBrowser(
            family: .chromium, name: "Google Chrome", bundleID: "com.google.Chrome",
            executables: ["/opt/google/chrome/chrome"], systemManifests: "/etc/opt/chrome/native-messaging-hosts",
            userManifests: ".config/google-chrome/NativeMessagingHosts", systemExtension: nil, extensionReader: nil),
        SupportedBrowser(
            family: .firefox, name: "Firefox", bundleID: "org.mozilla.firefox",
            executables: ["/usr/lib/firefox-esr/firefox-esr", "/usr/lib/firefox/firefox", "/opt/firefox/firefox"],
            systemManifests: "/usr/lib/mozilla/native-messaging-hosts",
            userManifests: ".mozilla/native-messaging-hosts",
            systemExtension:
                "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/\(HostManifest.firefoxID)",
            extensionReader: nil),
    ]

    /// The browser whose program this is.
    package static func running(_ executable: String) -> SupportedBrowser? {
        all.first { $0.executables.contains(executable) }
    }

    /// The browser that started a host with these arguments: Chromium passes the extension's origin first, Firefox the manifest and
    /// the extension's ID. nil if it is not our extension.
    package static func calling(_ arguments: some Collection<String>) -> SupportedBrowser? {
        let list = Array(arguments)
        if list.first == "chrome-extension://\(HostManifest.chromiumID)/" { return all[0] }
        if list.count > 1, list[1] == HostManifest.firefoxID { return all.first { $0.family == .firefox } }
        return nil
    }
}
