// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Testing

@Suite("Messages and their declarations")
struct MessageTests {
    @Test("What a message reads it writes again, each member at its place", arguments: Method.allCases)
    func roundTrip(_ method: Method) throws {
        try Self.check(method.call)
    }

    @Test("So does an event of each kind", arguments: EventNotice.Kind.allCases)
    func event(_ kind: EventNotice.Kind) throws {
        try Self.check(EventNotice.self, EventNotice.schema(of: kind.rawValue))
    }

    @Test(
        "A member of the wrong type is invalid at its path, and a needed one that is absent is missing",
        arguments: Method.allCases)
    func problems(_ method: Method) throws {
        try Self.checkProblems(method.call)
    }

    @Test("A keychain item is set a second time where that replaces what the first time made")
    func repeatable() {
        let place = KeychainSet.Target.place(ItemPlace(namespace: "s", account: "a", accessGroup: nil))
        let targets: [KeychainSet.Target] = [.item("itm_1"), place, .attributes(accessGroup: nil)]
        let again = targets.map { target in
            [nil, true, false].map { KeychainSet(target, data: nil, replace: $0).isRepeatable }
        }
        #expect(again == [[true, true, true], [true, true, false], [false, true, false]])
    }

    @Test("A method's declaration says the method's own name")
    func names() {
        for method in Method.allCases { #expect(method.declaration.method == method) }
        #expect(Set(Method.allCases.map { "\($0.call)" }).count == Method.allCases.count)
    }

    @Test("An answer over the limit is refused, and nothing of it is written")
    func longAnswer() {
        func line(_ bytes: Int) -> String {
            var writer = JSONWriter()
            writer.answer(.number(1), Changed(true))
            let start = writer.count
            let answer = AutofillConfirm.Answer(
                outcome: String(repeating: "x", count: bytes), credential: nil, changed: false)
            writer.answer(.number(2), answer)
            return writer.withUnsafeBytes { String(decoding: $0.dropFirst(start), as: UTF8.self) }
        }
        let rest = line(0).utf8.count
        #expect(line(Limits.answerBytes - rest).utf8.count == Limits.answerBytes)
        let refused = line(Limits.answerBytes - rest + 1)
        #expect(refused.hasPrefix(#"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"#) && !refused.contains("xx"))
        #expect(refused.contains(#""reason":"answer-too-long""#) && refused.hasSuffix("}\n"))
    }

    @Test("Lines follow each other without a comma; the id is null where none could be read")
    func lines() {
        var writer = JSONWriter()
        writer.answer(.text("a"), Changed(true))
        writer.answer(.number(-2), Changed(false))
        writer.reject(nil, ProtocolProblem(.notJSON))
        let lines = writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0] == #"{"jsonrpc":"2.0","id":"a","result":{"changed":true}}"#)
        #expect(lines[1] == #"{"jsonrpc":"2.0","id":-2,"result":{"changed":false}}"#)
        #expect(lines[2].hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#))
    }

    @Test("No name of the protocol is a reversed domain: those are reserved for others")
    func reserved() {
        let areas = Set(Method.allCases.map(\.rawValue).filter { $0.contains(".") }.map { $0.prefix { $0 != "." } })
        // None of them is a top-level domain.
        #expect(
            areas == [
                "admin", "autofill", "code", "credential", "event", "keychain", "offer", "request", "rpc",
                "signIn", "vault", "verifier",
            ])
        let objects = OpenRPC.components().values + OpenRPC.methods.flatMap { [$0.parameters, $0.result] }
        #expect(objects.flatMap(\.members).allSatisfy { !$0.name.contains(".") })
        #expect(Words.reasons.allSatisfy { !$0.contains(".") })
    }

    @Test("What administers needs proof, and what is proven by a prompt needs an open vault or none")
    func rows() {
        // They need the import, the export or the invitation that this connection has begun, with proof.
        let ofBegun: Set<Method> = [.importAdd, .importReview, .exportRead, .syncAnswer, .syncAdmit]
        for method in [Method.importBegin, .exportBegin, .syncInvite] {
            #expect(method.declaration.proofNeed == .needed)
        }
        for row in Method.allCases.map(\.declaration) where row.accessClass == .administer {
            #expect(ofBegun.contains(row.method) || row.proofNeed != .none && row.proofNeed != .instead)
        }
        for row in Method.allCases.map(\.declaration) where row.admitsPrompt { #expect(row.proofNeed != .none) }
    }

    private static func check<Call: MethodCall>(_: Call.Type) throws {
        try check(Call.self, Call.schema())
        try check(Call.Answer.self, Call.Answer.schema())
    }

    private static func check<Value: Message>(_: Value.Type, _ schema: ObjectSchema) throws {
        // The document is written, and read by nobody here.
        if Value.self == RPCDiscover.Answer.self { return }
        for number in 0..<6 {
            var sample = SampleText(parity: number)
            let text = sample.text(schema.members, schema.rules, choosing: number)
            let value = try Value(line: text.utf8)
            let written = String(decoding: value.line.dropLast(), as: UTF8.self)
            #expect(written == text, "\(Value.self)")
        }
    }

    private static func checkProblems<Call: MethodCall>(_: Call.Type) throws {
        let schema = Call.schema()
        for member in schema.members {
            var sample = SampleText(parity: 0)
            let others = sample.text(schema.members.filter { $0.name != member.name }, [], choosing: 0).dropFirst()
            let comma = others == "}" ? "" : ","
            let problem = try #require(throws: ProtocolProblem.self) {
                try Call(line: "{\"\(member.name)\":[[]]\(comma)\(others)".utf8)
            }
            #expect(
                problem.kind == .parameterInvalid && [member.name, "\(member.name)[0]"].contains(problem.member),
                "\(problem)")
            guard member.isRequired else { continue }
            let missing = try #require(throws: ProtocolProblem.self) {
                try Call(line: ("{" + others).utf8)
            }
            #expect(missing.kind == .parameterMissing && missing.member == member.name, "\(missing)")
            if problem.member == member.name { #expect(missing.detail == problem.detail) }
        }
    }
}
