// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

struct AppCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Finds each mistake in a registration, with its fix.",
        discussion: """
            Prints nothing where all is well; a note is no mistake. Its place and name do not matter here.

            Example:
              autofillctl app check org.example.Shop.json
            """)

    @Argument(help: ArgumentHelp("The registration.", valueName: "file"), completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: "Judge it as one of the administrator's, which may declare more.")
    var administrator = false

    @OptionGroup(title: "Common Options") var format: FormatOptions

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
            for note in notes {
                console.print("", hanging: "\(file.printable): note: \(note.description.printable)", indent: 4)
            }
        }
    }
}
