// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

struct AppRemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes an app's registration of this user.",
        discussion: """
            Credentials that are saved for its domains stay in the vault.

            Example:
              autofillctl app remove org.example.Shop
            """)

    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var registrations: RegistrationOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try BundleIdentifier(argument: bundleID)
        let own = try registrations.ownDirectory()
        try confirm("Remove the registration of \(app)?", unless: yes)
        let isRemoved: Bool
        do throws(ConfigurationFileProblem) {
            isRemoved = try own.remove(app)
        } catch {
            throw CommandFailure(error)
        }
        guard isRemoved else {
            let near = bundleID.nearest(of: try registrations.catalog().registrations.map(\.bundleID.text))
            throw CommandFailure(
                .notFound, "\(app) is not registered by this user",
                fix: near.map { CommandLineFix.fix(bundleID, $0) } ?? "See: autofillctl app list")
        }
        if format.json { return console.print { $0.member("changed", true) } }
        format.report("Removed the registration of \(app).", console)
    }
}
