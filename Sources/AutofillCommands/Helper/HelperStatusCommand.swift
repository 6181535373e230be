// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import CredentialHelpers

struct HelperStatusCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows whether the helpers work.",
        discussion: """
            Runs each helper's own check, which connects to the service and requests nothing.

            Example:
              autofillctl helper status git
            """)

    @Argument(help: "The tool; by default all three.") var tool: HelperTool?
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        var states: [HelperState] = []
        for tool in tool.map({ [$0] }) ?? HelperTool.allCases { states.append(try HelperState(of: tool)) }
        if format.json {
            console.print { writer in
                writer.key("helpers")
                writer.array { writer in
                    for state in states { writer.object { state.write(to: &$0) } }
                }
            }
        } else {
            for state in states { for line in state.lines { console.print(line.printable) } }
        }
        // A user who checks all tools need not use all of them.
        let isWell = states.allSatisfy { $0.problems.isEmpty || tool == nil && !$0.isConfigured }
        if !isWell { throw CommandFailure(.refused, []) }
    }
}

/// Whether a tool's helper works, and its problems.
struct HelperState {
    let tool: HelperTool
    let file: String
    let isConfigured: Bool
    private(set) var problems: [String] = []

    init(of tool: HelperTool, _ environment: ProcessEnvironment = .current) throws(CommandFailure) {
        let setup = try tool.setup(environment)
        self.tool = tool
        file = setup.file
        isConfigured = try setup.isInstalled()
        if !isConfigured { problems.append("It is not configured: autofillctl helper install \(tool.rawValue)") }
        guard let program = environment.program(tool.program) else {
            problems.append("\(tool.program) is not in PATH")
            return
        }
        let line = try ProgramRun(program, ["--check"], environment).output.last ?? ""
        problems += Self.problems(in: line)
    }

    /// The problems in the output of a check.
    static func problems(in line: String) -> [String] {
        let read = try? Array(line.utf8).withUnsafeBytes { text throws(JSONError) -> [String] in
            var scanner = JSONScanner(maximumDepth: 4)
            return try scanner.scan(text) { value throws(JSONError) -> [String] in
                if let trouble = try value.member("trouble") { return [try trouble.string()] }
                var found: [String] = []
                let reasons =
                    try value.member("reasons")?.elements { reason throws(JSONError) in try reason.string() } ?? []
                let isRegistered = try value.member("registration")?.kind == .string
                if !isRegistered {
                    found.append("It is not registered: install autofilld for all users, with systemd/install as root")
                }
                found += reasons.filter { $0 != "app-not-registered" && !$0.hasPrefix("vault-") }
                let vault = try value.member("vault").flatMap { $0.kind == .string ? $0 : nil }
                switch try vault?.string() {
                case "unlocked": break
                case "locked": found.append("The vault is locked: autofillctl vault unlock")
                case "missing": found.append("There is no vault yet: autofillctl vault create")
                case let other: found.append("The vault cannot be used: \(other ?? "its state is not reported")")
                }
                return found
            }
        }
        return read ?? ["The output of its check is not valid"]
    }

    var lines: [String] {
        problems.isEmpty
            ? ["\(tool.rawValue): works (\(file))"] : problems.map { "\(tool.rawValue): \($0)" }
    }

    func write(to writer: inout JSONWriter) {
        writer.member("tool", tool.rawValue)
        writer.member("file", file)
        writer.member("configured", isConfigured)
        writer.member("works", problems.isEmpty)
        writer.member("problems", problems)
    }
}
