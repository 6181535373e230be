// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import PasswordRules
import RulesPlayground

struct RulesEntropyCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "entropy", abstract: "Counts the passwords that meet rules, exactly.",
        discussion: """
            With --length alone, all passwords of that length are counted; with --style, or without a length, those that \
            "sample" generates. The legacy reading lets required rules share a character and applies max-consecutive to \
            equal characters only.

            Examples:
              autofillctl rules entropy --length 12 'required: upper; required: digit'
              autofillctl rules entropy --style readable --json ''
            """)

    @OptionGroup var rules: RulesArgument

    @Option(help: "The exact length, in characters.")
    var length: Int?

    @Option(help: "The style; by default all passwords of the length.")
    var style: PasswordGenerator.Style?

    @Option(help: "How required rules count.")
    var reading = PasswordRules.CountReading.strict

    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if let length, length < 1 { throw ValidationError("The length must be at least 1.") }
        if reading == .legacy, length == nil || style != nil {
            throw ValidationError("The legacy reading needs --length, and no --style.")
        }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let parsed = try rules.parsed()
        if !format.json { console.warn(of: parsed.diagnostics) }
        let (count, length, drawn) = try count(parsed.rules)
        if format.json {
            return console.print { writer in
                writer.member("length", length)
                writer.member("count", count.description)
                RulesJSON.write(bits: count.bits, to: &writer)
                writer.member("format", drawn.rawValue)
                writer.member("reading", reading.rawValue)
                RulesJSON.write(parsed.diagnostics, to: &writer)
            }
        }
        console.print("\(count) passwords of \(length) characters")
        console.print(count.bits.map { "\(RulesText.bits($0)) bits" } ?? "No password meets the rules at this length.")
    }

    private func count(
        _ rules: PasswordRules
    ) throws(CommandFailure) -> (PasswordCount, Int, PasswordGenerator.Format) {
        if let length, style == nil {
            do throws(PasswordRulesRefusal) {
                return (try rules.count(length: length, reading: reading), length, .random)
            } catch {
                throw CommandFailure(error)
            }
        }
        let generator = try PasswordGenerator(
            rules, PasswordGenerator.Options(style: style ?? .readable, length: length))
        return (generator.count, generator.length, generator.format)
    }
}
