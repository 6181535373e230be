// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillProtocol

struct SearchCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Lists the saved credentials that contain a text.",
        discussion: """
            The text is searched for in sites, user names, labels, tags and collections; case is ignored. Exit status 2: \
            nothing was found.

            Example:
              autofillctl search shop
            """)

    @Argument(help: "The text.")
    var word: String

    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let (session, proof) = try await service.proven(self.proof)
        let found = try await session.allCredentials(for: nil, with: proof).filter { $0.contains(word) }
        if format.json {
            console.print { $0.member("credentials", found) }
        } else if !found.isEmpty {
            console.print(Table(found))
        }
        if found.isEmpty {
            throw CommandFailure(
                .notFound,
                format.json
                    ? []
                    : [.init(code: nil, message: "Nothing contains \(word.quoted)", fix: "List all: autofillctl list")])
        }
    }
}

extension CredentialSummary {
    fileprivate func contains(_ word: String) -> Bool {
        let word = word.lowercased()
        return ([user, label, collection] + tags + services.map(\.service.value)).contains {
            $0.lowercased().contains(word)
        }
    }
}
