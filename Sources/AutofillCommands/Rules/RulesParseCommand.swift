// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import PasswordRules
import RulesPlayground

struct RulesParseCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "parse", abstract: "Shows rules in canonical form, and their mistakes.",
        discussion: """
            With --batch, standard input has one JSON string per line, and standard output gets one JSON object per line.

            Examples:
              autofillctl rules parse 'required: digits; minlength: 8 ;'
              autofillctl rules parse --json --apple --batch < descriptors.jsonl
            """)

    @Argument(help: ArgumentHelp("The rules, as in a passwordrules attribute.", valueName: "rules"))
    var descriptor: String?

    @Flag(help: "Parse exactly as Apple does: \"digits\" is no class, and 65,536 characters are the limit.")
    var apple = false

    @Flag(help: "Read one JSON string per line from standard input; print as with --json.")
    var batch = false

    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if batch == (descriptor != nil) { throw ValidationError("Give the rules, or --batch.") }
    }

    private var reading: PasswordRules.Reading { apple ? .apple : .lenient }

    func perform(_ console: Console) async throws(CommandFailure) {
        guard let descriptor else { return try performBatch(console) }
        let parsed: PasswordRules.Parsed
        do throws(PasswordRulesRefusal) {
            parsed = try PasswordRules.parse(descriptor, as: reading)
        } catch {
            throw CommandFailure(error)
        }
        if format.json { return console.print { parsed.write(to: &$0) } }
        for rule in parsed.rules.rules { console.print(rule.description) }
        for diagnostic in parsed.diagnostics {
            let mark = console.styled(diagnostic.isError ? "error" : "note", diagnostic.isError ? .red : .yellow)
            console.print("\(mark) at \(diagnostic.offset): \(diagnostic.message.printable)")
            console.print("  Fix: \(diagnostic.fix.printable)")
        }
    }

    private func performBatch(_ console: Console) throws(CommandFailure) {
        var mistakes = 0
        try RulesLines().forEach { line, number throws(CommandFailure) in
            guard let descriptor = RulesJSONString.decode(line) else {
                mistakes += 1
                return console.print { writer in
                    Self.writeNothing(to: &writer, code: "not-a-json-string", "Line \(number) is not a JSON string")
                }
            }
            do throws(PasswordRulesRefusal) {
                let parsed = try PasswordRules.parse(descriptor, as: reading)
                console.print { parsed.write(to: &$0) }
            } catch {
                console.print { Self.writeNothing(to: &$0, code: error.code, error.message, fix: error.fix) }
            }
        }
        guard mistakes == 0 else {
            throw CommandFailure(
                .badData, "\(mistakes.counted("line is not a JSON string", "lines are not JSON strings"))",
                fix: "Write one string per line")
        }
    }

    /// The output of a batch for a line without rules.
    private static func writeNothing(
        to writer: inout JSONWriter, code: String, _ message: String, fix: String? = nil
    ) {
        writer.member("canonical", array: { _ in })
        writer.member("error", true)
        writer.member("diagnostics", array: { _ in })
        writer.member(
            "refusal",
            object: { writer in
                writer.member("code", code)
                writer.member("message", message)
                writer.member("fix", orNull: fix)
            })
    }
}

extension PasswordRules.Parsed {
    /// `{"canonical": […], "error": false, "descriptor": "…", "diagnostics": […]}`
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member(
            "canonical",
            array: { writer in
                for rule in rules.rules { writer.object { rule.write(to: &$0) } }
            })
        writer.member("error", hasErrors)
        writer.member("descriptor", rules.description)
        RulesJSON.write(diagnostics, to: &writer)
    }
}

extension PasswordRule {
    /// `{"name": "required", "value": [{"class": "upper"}, {"custom": "-_"}]}`, or a number as the value.
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .required(let characters): Self.write("required", characters, to: &writer)
        case .allowed(let characters): Self.write("allowed", characters, to: &writer)
        case .maxConsecutive(let value): Self.write("max-consecutive", value, to: &writer)
        case .maxRepeating(let value): Self.write("max-repeating", value, to: &writer)
        case .maxSequential(let value): Self.write("max-sequential", value, to: &writer)
        case .minLength(let value): Self.write("minlength", value, to: &writer)
        case .maxLength(let value): Self.write("maxlength", value, to: &writer)
        }
    }

    private static func write(_ name: String, _ characters: CharacterClass, to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member(
            "value",
            array: { writer in
                for item in characters.items {
                    writer.object { writer in
                        switch item {
                        case .named(let name): writer.member("class", name)
                        case .custom(let characters): writer.member("custom", characters)
                        }
                    }
                }
            })
    }

    private static func write(_ name: String, _ value: UInt, to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("value", Int(value))
    }
}
