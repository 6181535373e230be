// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol

struct NextCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Shows the next step in the current state.",
        discussion: """
            This is also the output of autofillctl without arguments on a terminal. The command asks for nothing, and its \
            exit status is 0 in every state.

            Example:
              autofillctl next
            """)

    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let next = try await steps()
        if format.json { return console.print { next.write(to: &$0) } }
        for line in next.lines(console) { console.print(line) }
    }

    private func steps() async throws(CommandFailure) -> NextSteps {
        do throws(CommandFailure) {
            return NextSteps(try await service.session().call(Status()))
        } catch {
            guard error.status == .unavailable, let problem = error.problems.first else { throw error }
            return NextSteps(problem)
        }
    }
}
