// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PasswordRules

/// All figures of some rules, computed by the engine.
struct RulesReport {
    private let request: RulesRequest
    /// nil where the rules are too long to be read.
    let parsed: PasswordRules.Parsed?
    private let refusal: PasswordRulesRefusal?
    private let generator: PasswordGenerator?

    init(_ request: RulesRequest) {
        self.request = request
        var parsed: PasswordRules.Parsed?
        do throws(PasswordRulesRefusal) {
            let read = try PasswordRules.parse(request.rules)
            parsed = read
            generator = try request.generator(read.rules)
            refusal = nil
        } catch {
            (generator, refusal) = (nil, error)
        }
        self.parsed = parsed
    }

    func write(to writer: inout JSONWriter, using entropy: inout some RandomNumberGenerator) {
        if let parsed { write(parsed, to: &writer) }
        if let refusal { RulesJSON.write(refusal, to: &writer) }
        writeApple(to: &writer)
        guard let generator else { return }
        writer.member(
            "password",
            object: { writer in
                writer.member("length", generator.length)
                writer.member("format", generator.format.rawValue)
                writer.member("count", generator.count.description)
                RulesJSON.write(bits: generator.count.bits, to: &writer)
            })
        writer.member("samples", (0..<PlaygroundLimits.shown).map { _ in generator.draw(using: &entropy) })
        ClassHistogram(generator, using: &entropy).write(to: &writer)
    }

    private func write(_ parsed: PasswordRules.Parsed, to writer: inout JSONWriter) {
        let text = RulesText(parsed.rules)
        writer.member("canonical", parsed.rules.description)
        writer.member("error", parsed.hasErrors)
        RulesJSON.write(parsed.diagnostics, to: &writer)
        writer.member("asks", text.requirements)
        var advice = text.advice + (generator?.notes.map(\.message) ?? [])
        if request.hasForeignPattern {
            advice.append("The pattern of the field requires more than rules can express; it is ignored.")
        }
        writer.member("advice", advice)
        writer.member("html", text.html)
        writer.member("swift", text.swift)
        writer.member(
            "classes",
            array: { writer in
                for kind in ClassKind.allCases {
                    let allowed = parsed.rules.allowed.characters.intersection(kind.characters)
                    writer.object { writer in
                        writer.member("class", kind.rawValue)
                        writer.member("size", kind.characters.count)
                        writer.member("allowed", String(decoding: allowed.canonicalCharacters, as: UTF8.self))
                    }
                }
            })
        writer.member("lengths", array: { writer in writeLengths(parsed.rules, to: &writer) })
    }

    /// The exact number of all passwords of each length, whatever their format.
    private func writeLengths(_ rules: PasswordRules, to writer: inout JSONWriter) {
        let longest = max(PlaygroundLimits.countedLength, generator?.length ?? 0)
        guard let counts = try? request.bounded(rules).counts(upTo: longest) else { return }
        for (length, count) in counts {
            writer.object { writer in
                writer.member("length", length)
                writer.member("count", count.description)
                RulesJSON.write(bits: count.bits, to: &writer)
            }
        }
    }

    /// Apple's reading of the same text; and the count where required rules may share a character, as in Apple's tool.
    private func writeApple(to writer: inout JSONWriter) {
        writer.member(
            "apple",
            object: { writer in
                do throws(PasswordRulesRefusal) {
                    let apple = try PasswordRules.parse(request.rules, as: .apple)
                    writer.member("canonical", apple.rules.description)
                    writer.member("error", apple.hasErrors)
                    writer.member("same", apple.rules == parsed?.rules)
                    RulesJSON.write(apple.diagnostics, to: &writer)
                    guard let length = generator?.length else { return }
                    let count = try apple.rules.count(length: length, reading: .legacy)
                    writer.member("length", length)
                    writer.member("count", count.description)
                    RulesJSON.write(bits: count.bits, to: &writer)
                } catch {
                    RulesJSON.write(error, to: &writer)
                }
            })
    }
}
