// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import PasswordRules
import RulesPlayground
import SecretMemory

struct RulesExplainCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explains rules as text, with samples.",
        discussion: """
            Example:
              autofillctl rules explain 'required: lower; max-consecutive: 2; maxlength: 20'
            """)

    @OptionGroup var rules: RulesArgument
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let parsed = try rules.parsed()
        let text = RulesText(parsed.rules)
        let generator: PasswordGenerator
        do throws(CommandFailure) {
            generator = try PasswordGenerator(parsed.rules, PasswordGenerator.Options())
        } catch {
            // The rules are explained even if no password can meet them.
            if !format.json { introduce(parsed, text, console) }
            throw error
        }
        var entropy = SystemEntropy()
        let samples = (0..<3).map { _ in generator.draw(using: &entropy) }
        let advice = text.advice + generator.notes.map(\.message)
        if format.json {
            return console.print { writer in
                writer.member("rules", parsed.rules.description)
                writer.member("asks", text.requirements)
                writer.member("advice", advice)
                writer.member("samples", samples)
                writer.member("format", generator.format.rawValue)
                writer.member("length", generator.length)
                writer.member("count", generator.count.description)
                RulesJSON.write(bits: generator.count.bits, to: &writer)
                writer.member("html", text.html)
                writer.member("swift", text.swift)
                RulesJSON.write(parsed.diagnostics, to: &writer)
            }
        }
        introduce(parsed, text, console)
        section("Samples", samples, console, isCode: true)
        section(
            "Strength",
            ["\(RulesText.bits(generator.bits)) bits: one of \(generator.count) passwords of this kind"], console)
        section("Advice", advice, console)
        section("HTML", [text.html], console, isCode: true)
        section("Swift", [text.swift], console, isCode: true)
    }

    private func introduce(_ parsed: PasswordRules.Parsed, _ text: RulesText, _ console: Console) {
        section("The rules require", text.requirements, console)
        section("Not parsed literally", parsed.diagnostics.map(\.description.printable), console)
    }

    /// - Parameter isCode: whether it is meant to be copied, and so is not wrapped.
    private func section(_ title: String, _ lines: [String], _ console: Console, isCode: Bool = false) {
        guard !lines.isEmpty else { return }
        console.print(console.styled(title, .bold))
        for line in lines {
            if isCode { console.print("  \(line)") } else { console.print("  ", hanging: line) }
        }
    }
}
