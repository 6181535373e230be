// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrowserMessages

struct BrowserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser", abstract: "Has web browsers fill and save passwords here.",
        discussion: """
            A browser finds autofill-browser by a file of its own for the extension (native messaging). The package brings it for \
            everybody; these commands write it for this user, and say what works.

            Examples:
              autofillctl browser install
              autofillctl browser status
            """,
        subcommands: [BrowserInstallCommand.self, BrowserUninstallCommand.self, BrowserStatusCommand.self])
}

extension KnownBrowser {
    /// Where this user's host manifest is.
    func manifest(_ environment: ProcessEnvironment) throws(CommandFailure) -> String {
        guard let home = environment["HOME"], !home.isEmpty else {
            throw CommandFailure(.usage, "HOME is not set", fix: "Set it")
        }
        return "\(home)/\(userManifests)/\(HostManifest.fileName)"
    }
}
