// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles
import Reasons

struct AppCheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Finds each mistake in a registration, with its fix.",
        discussion: """
            Prints nothing if there is no mistake; a note is not a mistake. The file's directory is not checked.

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
        let app = checked.registration.bundleID.text
        let notes = (checked.notes + checked.registration.absentExecutables).map(\.description) + misnamed(app)
        if format.json {
            console.print { writer in
                writer.member("bundleID", app)
                writer.member("notes", notes)
            }
        } else {
            for note in notes { console.print("", hanging: "\(file.printable): note: \(note.printable)", indent: 4) }
        }
    }

    /// A file in a directory of registrations must have the name of its app.
    private func misnamed(_ app: String) -> [String] {
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        let right = folder + app + ".json"
        guard file != right else { return [] }
        return [
            "In a directory of registrations it must be named \(app).json. "
                + "Register it, which does that: autofillctl app register \(file.shellQuoted)"
        ]
    }
}
