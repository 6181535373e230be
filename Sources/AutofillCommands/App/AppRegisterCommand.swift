// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

struct AppRegisterCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Registers an app for this user.",
        discussion: """
            The file is checked and copied to $XDG_DATA_HOME/autofilld/apps.

            Example:
              autofillctl app register org.example.Shop.json
            """)

    @Argument(help: ArgumentHelp("The registration.", valueName: "file"), completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var registrations: RegistrationOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let own = try registrations.ownDirectory()
        let done: (checked: Registration.Checked, change: UserRegistrations.Change)
        do throws(ConfigurationFileProblem) {
            done = try own.register(file, refusing: .installed())
        } catch {
            throw CommandFailure(error)
        }
        let registration = done.checked.registration
        let notes = done.checked.notes + registration.absentExecutables
        let shadowing = try registrations.catalog().shadowed.first { $0.file == registration.origin.file }?.by
        if format.json {
            return console.print { writer in
                writer.member("bundleID", registration.bundleID.text)
                writer.member("file", registration.origin.file)
                writer.member("change", done.change.rawValue)
                writer.member("shadowedBy", orNull: shadowing)
                writer.member("notes", notes.map(\.description))
            }
        }
        format.report("\(done.change.rawValue): \(registration.origin.file.printable)", console)
        for note in notes { console.print("note: ", hanging: note.description.printable) }
        if let shadowing {
            console.print("note: ", hanging: "\(shadowing.printable) has precedence: it is owned by root")
        }
    }
}
