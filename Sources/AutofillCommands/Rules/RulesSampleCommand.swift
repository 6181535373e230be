// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AutofillProtocol
import PasswordRules
import SecretMemory

struct RulesSampleCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "sample", abstract: "Generates passwords that meet rules.",
        discussion: """
            The style is "readable" (xxxxxx-xxxxxx-xxxxxx, if the rules permit it) or "random". With --json, each line is \
            an object with the member "password". Without rules the passwords are those for a site without rules.

            Examples:
              autofillctl rules sample
              autofillctl rules sample 'required: upper; required: digit; minlength: 8'
              autofillctl rules sample -n 1000000 --style random '' > passwords
            """)

    @Argument(help: ArgumentHelp("The rules, as in a passwordrules attribute; or none.", valueName: "rules"))
    var descriptor = ""

    @Option(name: .customShort("n"), help: ArgumentHelp("How many.", valueName: "count"))
    var count = 1

    @Option(help: "The style; by default readable if the rules permit it.")
    var style: PasswordGenerator.Style?

    @Option(help: "The exact length, in characters.")
    var length: Int?

    @Option(help: "The bits of a password if the rules do not fix the length.")
    var bits = PasswordRulesLimits.targetBits

    @OptionGroup(title: "Common Options") var format: FormatOptions

    func validate() throws {
        if count < 0 { throw ValidationError("The count cannot be negative.") }
        if !bits.isFinite || bits < 0 { throw ValidationError("The bits must be a number from 0.") }
        if let length, length < 1 { throw ValidationError("The length must be at least 1.") }
    }

    func perform(_ console: Console) async throws(CommandFailure) {
        let parsed = try PasswordRules.Parsed(argument: descriptor)
        if !format.json { console.warn(of: parsed.diagnostics) }
        let generator = try PasswordGenerator(
            parsed.rules, PasswordGenerator.Options(style: style ?? .readable, targetBits: bits, length: length))
        if format.json { return printStrings(generator, console) }
        for note in generator.notes where style == .readable || !note.isAboutStyle {
            console.printError("autofillctl: \(note.message)")
        }
        var entropy = SystemEntropy()
        var output = RulesOutput()
        var progress = RulesProgress(total: count)
        for number in 0..<count {
            try output.append(count: generator.length + 1) { memory in
                generator.draw(into: memory, using: &entropy)
                memory[generator.length] = UInt8(ascii: "\n")
            }
            if number & 0xFFF == 0xFFF { progress.show(number + 1) }
        }
        try output.flush()
        progress.finish()
    }

    private func printStrings(_ generator: PasswordGenerator, _ console: Console) {
        var entropy = SystemEntropy()
        for _ in 0..<count {
            let password = SecretBytes(count: generator.length) { generator.draw(into: $0, using: &entropy) }
            console.print { writer in
                writer.member("password", password)
            }
        }
    }
}
