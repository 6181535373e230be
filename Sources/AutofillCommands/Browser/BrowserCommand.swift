// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrowserMessages

struct BrowserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser", abstract: "Sets up web browsers to fill and save passwords.",
        discussion: """
            A browser finds autofill-browser through a file for the extension (native messaging). The package installs it \
            for all users; these commands write it for this user, and show what works.

            Examples:
              autofillctl browser install
              autofillctl browser status
            """,
        subcommands: [BrowserInstallCommand.self, BrowserUninstallCommand.self, BrowserStatusCommand.self])
}

extension SupportedBrowser {
    /// The path of this user's host manifest.
    func manifest(_ environment: ProcessEnvironment) throws(CommandFailure) -> String {
        guard let home = environment["HOME"], !home.isEmpty else {
            throw CommandFailure(.usage, "HOME is not set", fix: "Set it")
        }
        return "\(home)/\(userManifests)/\(HostManifest.fileName)"
    }
}
