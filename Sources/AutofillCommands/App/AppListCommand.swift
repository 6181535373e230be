// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillProtocol
import ConfigurationFiles

struct AppListCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the registered apps, and files with mistakes.",
        discussion: """
            Reads the files itself. Of a service that was started with --registrations, give the same option here. Exit \
            status 65: a file has mistakes.

            Example:
              autofillctl app list
            """)

    @OptionGroup var registrations: RegistrationOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let catalog = try registrations.catalog()
        if format.json {
            console.print { catalog.write(to: &$0) }
        } else {
            show(catalog, console)
        }
        // All mistakes are printed; only the exit status is left.
        if !catalog.problems.isEmpty { throw CommandFailure(.badData, []) }
    }

    private func show(_ catalog: RegistrationCatalog, _ console: Console) {
        if catalog.registrations.isEmpty {
            console.print("No app is registered.")
        } else {
            var table = Table("APP", "NAME", "ASSOCIATED DOMAINS", "OWNER", "FILE")
            for app in catalog.registrations {
                table.add(
                    app.bundleID.text, app.name.text,
                    app.entitlements.associatedDomains.map { String($0.description.dropFirst("webcredentials:".count)) }
                        .joined(separator: " "),
                    app.origin.owner.rawValue, app.origin.file)
            }
            console.print(table)
        }
        for file in catalog.shadowed {
            console.print("\(file.file.printable): not used: \(file.by.printable) has precedence")
        }
        for note in catalog.notes {
            console.print("", hanging: "\(note.file.printable): note: \(note.note.description.printable)", indent: 4)
        }
        for problem in catalog.problems {
            console.print(CommandFailure(problem))
        }
    }
}

extension RegistrationCatalog {
    /// The shape of `app list --json`.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.key("apps")
        writer.array { writer in
            for app in registrations {
                writer.object { writer in
                    writer.member("bundleID", app.bundleID.text)
                    writer.member("name", app.name.text)
                    writer.member("associatedDomains", app.entitlements.associatedDomains.map(\.description))
                    writer.member("credentialProvider", app.entitlements.isCredentialProvider)
                    writer.member("executables", app.executables.map(\.text))
                    writer.member("owner", app.origin.owner.rawValue)
                    writer.member("file", app.origin.file)
                }
            }
        }
        writer.key("shadowed")
        writer.array { writer in
            for file in shadowed {
                writer.object { writer in
                    writer.member("bundleID", file.bundleID.text)
                    writer.member("file", file.file)
                    writer.member("by", file.by)
                }
            }
        }
        writer.key("notes")
        writer.array { writer in
            for note in notes {
                writer.object { writer in
                    writer.member("file", note.file)
                    writer.member("note", note.note.description)
                }
            }
        }
        writer.key("problems")
        writer.array { writer in
            for problem in problems {
                for mistake in problem.mistakes {
                    writer.object { writer in
                        writer.member("file", problem.file)
                        writer.member("path", mistake.path)
                        writer.member("reason", mistake.reason)
                        writer.member("fix", mistake.fix)
                    }
                }
            }
        }
    }
}
