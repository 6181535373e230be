// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Lists, checks, registers and removes apps.",
        discussion: """
            These work on the registration files and need no service; a running one sees the change at once.

            Example:
              autofillctl app register org.example.Shop.json
            """,
        subcommands: [AppListCommand.self, AppCheckCommand.self, AppRegisterCommand.self, AppRemoveCommand.self])
}

struct AppCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Finds every mistake in a registration, each with its fix.",
        discussion: """
            Prints nothing where all is well; a note is no mistake. Its place and name do not matter here.

            Example:
              autofillctl app check org.example.Shop.json
            """)

    @Argument(help: ArgumentHelp("The registration.", valueName: "file"), completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: "Judge it as one of the administrator's, which may declare more.")
    var administrator = false

    @OptionGroup var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let checked: Registration.Checked
        do throws(ConfigurationFileProblem) {
            checked = try RegistrationFile.check(file, as: administrator ? .root : .user, refusing: .installed())
        } catch {
            throw CommandFailure(error)
        }
        let notes = checked.notes + checked.registration.absentExecutables
        if format.json {
            console.print { writer in
                writer.member("bundleID", checked.registration.bundleID.text)
                writer.member("notes", notes.map(\.description))
            }
        } else {
            for note in notes { console.print("\(file.printable): note: \(note.description.printable)") }
        }
    }
}

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
    @OptionGroup var format: FormatOptions

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
        console.print("\(done.change.rawValue): \(registration.origin.file.printable)")
        for note in notes { console.print("note: \(note.description.printable)") }
        if let shadowing { console.print("note: \(shadowing.printable) counts instead: it is the administrator's") }
    }
}

struct AppRemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Takes an app's registration away, for this user.",
        discussion: """
            What is saved for its domains stays in the vault.

            Example:
              autofillctl app remove org.example.Shop
            """)

    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Flag(help: "Do not ask before.")
    var yes = false

    @OptionGroup var registrations: RegistrationOptions
    @OptionGroup var format: FormatOptions

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
            throw CommandFailure(.notFound, "\(app) is not registered by this user", fix: "See: autofillctl app list")
        }
        if format.json { console.print { $0.member("changed", true) } }
    }
}
