// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import ConfigurationFiles
import Glibc
import RulesPlayground
import SiteKnowledge

struct RulesPlaygroundCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "playground", abstract: "Shows a page in the browser to write and try rules.",
        discussion: """
            Prints the page's address, and opens it in the default browser if there is a desktop. The page shows mistakes, \
            the canonical form, the exact number of passwords, samples, a thousand passwords to save, a check of a typed \
            password, HTML and Swift to copy, Apple's reading, and the rules of known sites. This process computes all of \
            it, on 127.0.0.1, for the printed address alone. It has no access to the vault, and ends with Ctrl-C or after \
            30 minutes without use.

            Examples:
              autofillctl rules playground
              autofillctl rules playground --no-open
            """)

    @Flag(help: "Print the address only; open no browser.")
    var noOpen = false

    @OptionGroup var knowledge: SiteKnowledgeOptions
    @OptionGroup(title: "Common Options") var format: ResultFormat

    func perform(_ console: Console) async throws(CommandFailure) {
        let file = SiteKnowledgeFile(try knowledge.path(), userID: geteuid())
        if let problem = file.problem { throw CommandFailure(problem) }
        do throws(PlaygroundServer.StartFailure) {
            let server = try PlaygroundServer(Playground(file.sites))
            if format.json {
                console.print { $0.member("address", server.address) }
            } else {
                console.print(server.address)
            }
            if !noOpen { DesktopBrowser.open(server.launchAddress()) }
            // After this only its connections are left.
            try server.confine()
            server.run()
        } catch {
            throw CommandFailure(.system, error.message)
        }
    }
}
