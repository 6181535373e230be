// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

struct AppCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Finds each mistake in a registration, with its fix.",
        discussion: """
            Prints nothing if there is no mistake; a note is not a mistake. The file's directory and name are not checked.

            Example:
              autofillctl app check org.example.Shop.json
            """)

    @Argument(help: ArgumentHelp("The registration.", valueName: "file"), completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: "Check it as a root-owned registration, which may declare more.")
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
