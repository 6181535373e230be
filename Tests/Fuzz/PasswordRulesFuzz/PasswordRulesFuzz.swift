// SPDX-License-Identifier: Apache-2.0
import PasswordRules

/// One run of libFuzzer: parsing never fails but by its limit, printing and parsing again is the identity, and where
/// a generator is made, what it draws meets the rules.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPasswordRules(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    for reading in [PasswordRules.Reading.lenient, .apple] {
        guard let parsed = try? PasswordRules.parse(text, as: reading) else {
            // A short text is never refused.
            precondition(count > 1024)
            continue
        }
        let again = try? PasswordRules.parse(parsed.rules.description, as: reading)
        precondition(again?.rules == parsed.rules, "printing and parsing again is not the identity")
        precondition(again?.hasErrors == false, "the canonical form has errors")
        for diagnostic in parsed.diagnostics {
            precondition(diagnostic.offset + diagnostic.length <= text.unicodeScalars.count)
            precondition(!diagnostic.description.isEmpty)
        }
        precondition(parsed.hasErrors == parsed.diagnostics.contains(where: \.isError))
        if reading == .lenient { draw(parsed.rules) }
    }
    return 0
}

/// The entropy of a fuzzer's run, the same for the same input.
private struct CountingEntropy: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ mixed >> 27
    }
}

private func draw(_ rules: PasswordRules) {
    var entropy = CountingEntropy()
    for style in PasswordGenerator.Style.allCases {
        guard let generator = try? PasswordGenerator(rules: rules, options: .init(style: style)) else { continue }
        let password = generator.draw(using: &entropy)
        precondition(rules.violations(in: password).isEmpty, "a password breaks the rules")
    }
}

/// The package manager uses this name instead of `main`; it calls libFuzzer's.
@_cdecl("PasswordRulesFuzz_main")
public func main(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var (count, arguments) = (count, arguments)
    return runFuzzer(&count, &arguments, fuzzPasswordRules)
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
