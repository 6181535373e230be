// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// For systemd/install and packagers: not in the help.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Writes the manual page, autofillctl(1).",
        discussion: """
            Example:
              autofillctl manual >autofillctl.1
            """, shouldDisplay: false)

    func run() throws {
        let console = Console.ofThisProcess()
        console.print(try ManualPage(of: AutofillCommand.self).text, terminator: "")
        do throws(CommandFailure) { try Console.checkOutput() } catch {
            console.print(error)
            throw ExitCode(error.status.rawValue)
        }
    }
}
