// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import ConfigurationFiles
import SiteKnowledge

struct QuirksImportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports the project's files, and replaces former ones.",
        discussion: """
            Reads those of \(SiteFile.allCases.map(\.rawValue).joined(separator: ", ")) that exist. Each is checked \
            completely before anything is replaced. The service reads the change by itself.

            Example:
              autofillctl quirks import password-manager-resources/quirks
            """)

    @Argument(help: ArgumentHelp("The folder with the files.", valueName: "dir"))
    var directory: String

    @OptionGroup var knowledge: SiteKnowledgeOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let path = try knowledge.path()
        let imported: SiteKnowledgeFile.Imported
        do throws(ConfigurationFileProblem) {
            imported = try SiteKnowledgeFile.replace(path, withFilesOf: directory)
        } catch {
            throw CommandFailure(error)
        }
        let sites = imported.sites
        if format.json {
            return console.print { writer in
                writer.member("files", imported.files.map(\.rawValue))
                writer.member("leftOut", imported.leftOut)
                writer.member("passwordRules", sites.rules.count)
                writer.member("sharedCredentials", sites.groups.count)
                writer.member("changePassword", sites.changePassword.count)
                writer.member("appendedCodes", sites.appendsCode.count)
                writer.member("path", path)
            }
        }
        if format.quiet { return }
        console.print("password rules         \(sites.rules.count.counted("domain"))")
        console.print("shared credentials     \(sites.groups.count.counted("group"))")
        console.print("change of password     \(sites.changePassword.count.counted("address", "addresses"))")
        console.print("code behind password   \(sites.appendsCode.count.counted("domain"))")
        for name in imported.leftOut {
            console.print(
                "left out: \(name.printable): \(SiteFile.leftOut[name] ?? "it is not a file of the project")")
        }
    }
}
