// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import ConfigurationFiles
import SiteKnowledge

struct QuirksRemoveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes all imported data.",
        discussion: """
            Example:
              autofillctl quirks remove
            """)

    @OptionGroup var knowledge: SiteKnowledgeOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let path = try knowledge.path()
        let wasThere: Bool
        do throws(ConfigurationFileProblem) {
            wasThere = try SiteKnowledgeFile.remove(path)
        } catch {
            throw CommandFailure(error)
        }
        if format.json { return console.print { $0.member("changed", wasThere) } }
        format.report(wasThere ? "Removed all imported data." : "Nothing was imported.", console)
    }
}
