// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// A command whose failures are printed in one way: lines with their fixes for users, one object with `--json`.
protocol Subcommand: AsyncParsableCommand {
    associatedtype Format: OutputFormat
    var format: Format { get }
    func perform(_ console: Console) async throws(CommandFailure)
}

extension Subcommand {
    mutating func run() async throws {
        let console = Console.ofThisProcess()
        do throws(CommandFailure) {
            try await perform(console)
            try Console.checkOutput()
        } catch {
            let error = error.naming(CommandLineFix.arguments)
            if error.problems.isEmpty {
                // The result has reported everything.
            } else if format.json {
                console.printError { error.write(to: &$0) }
            } else {
                console.print(error)
            }
            throw ExitCode(error.status.rawValue)
        }
    }
}

/// How the result is printed.
struct FormatOptions: OutputFormat {
    @Flag(help: "Print JSON; errors as well, on standard error.")
    var json = false

    @Flag(help: "Print nothing about what was changed.")
    var quiet = false

    /// Prints what the command has changed, or that there was nothing to change.
    func report(_ line: String, _ console: Console) {
        if !json, !quiet { console.print("", hanging: line.printable, indent: 4) }
    }
}

/// What every command has of its output's form.
protocol OutputFormat: ParsableArguments {
    var json: Bool { get }
}

/// Of a command whose output is its result.
struct ResultFormat: OutputFormat {
    @Flag(help: "Print JSON; errors as well, on standard error.")
    var json = false
}
