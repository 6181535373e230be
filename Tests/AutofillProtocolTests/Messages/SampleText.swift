// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// JSON texts that a message reads whole, with another value in each member.
struct SampleText {
    /// Counts the values, so that no two are equal.
    private var count = 0
    /// Which of two booleans comes first.
    private let parity: Int

    init(parity: Int) { self.parity = parity }

    /// The booleans that are written only where they are true.
    private static let usuallyFalse: Set = [
        "strict", "secure", "deleted", "repair", "acceptOlder", "acceptMissing", "salvage", "hidden", "drawRecoveryKey",
        "prompt", "withheld", "secret", "more", "shared", "typedAtTerminal", "favourite",
    ]

    /// Of members of which one alone may be there, this one.
    mutating func text(_ members: [MemberSchema], _ rules: [MemberRule], choosing number: Int) -> String {
        var left: Set<String> = []
        for rule in rules where rule.count != .oneOrMore {
            left.formUnion(rule.members.filter { $0 != rule.members[number % rule.members.count] })
        }
        let secrets = ["passphrase", "key", "recoveryKey", "drawRecoveryKey", "prompt"].filter { name in
            members.contains { $0.name == name }
        }
        // With a passphrase alone it says something.
        if secrets.count > 2 { left.insert("terminal") }
        if secrets.count > 2 { left.formUnion(secrets.filter { $0 != secrets[number % secrets.count] }) }
        let written = members.filter { !left.contains($0.name) }.map { member in
            "\"\(member.name)\":" + text(member.type, for: member.name, choosing: number)
        }
        return "{" + written.joined(separator: ",") + "}"
    }

    private mutating func text(_ type: ValueSchema, for name: String, choosing number: Int) -> String {
        count += 1
        switch type {
        case .string where name == "terminal": return "\"/dev/pts/\(count)\""
        case .string(let bytes):
            let text = "x\(count)"
            let padding = String(repeating: "x", count: max(0, bytes.lowerBound - text.count))
            return "\"\(text + padding)\""
        case .choice(let words, _), .word(let words, _):
            return "\"\(name == "interaction" ? "forbid" : words[count % words.count])\""
        case .constant(let word): return "\"\(word)\""
        case .path: return "\"/x/\(count)\""
        case .integer(let range): return "\(min(range.upperBound, range.lowerBound + count))"
        case .boolean where Self.usuallyFalse.contains(name): return "true"
        case .boolean: return (count + parity).isMultiple(of: 2) ? "true" : "false"
        case .data(let bytes):
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            let full = String(repeating: letters[count % letters.count], count: bytes.lowerBound / 3 * 4)
            return "{\"base64\":\"\(full + ["", "QQ==", "QUE="][bytes.lowerBound % 3])\"}"
        case .requestID: return "\(count)"
        case .array(let element, _): return "[" + text(element, for: name, choosing: number) + "]"
        case .object(let object): return text(object.members, object.rules, choosing: number)
        case .map(let element, let names):
            return "{"
                + (names ?? ["a"]).map { "\"\($0)\":" + text(element, for: $0, choosing: number) }
                .joined(separator: ",") + "}"
        case .anyObject: return "{}"
        case .any(let types, _): return text(types[number % types.count], for: name, choosing: number)
        }
    }
}
