// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Testing

@Suite("Proof on the wire")
struct ProofTests {
    private static func kind(_ proof: String) throws -> Proof.Kind? {
        try GrantList(line: #"{"proof":\#(proof)}"#.utf8).proof?.kind
    }

    @Test(
        "Its type states what it is",
        arguments: [
            (#"{"type":"passphrase","passphrase":"x"}"#, Proof.Kind.passphrase), (#"{"type":"prompt"}"#, .prompt),
            (#"{"type":"passphrase","passphrase":"x","typedAtTerminal":true}"#, .passphrase),
            (#"{"type":"key","key":{"base64":"a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s="}}"#, .key),
            (#"{"type":"recoveryKey","recoveryKey":"XXXX"}"#, .recoveryKey), (#"{"type":"terminal"}"#, .terminal),
        ])
    func kinds(_ proof: String, _ kind: Proof.Kind) throws {
        #expect(try Self.kind(proof) == kind)
    }

    @Test(
        "Without its type, with another one, or without the member of its type it is refused",
        arguments: [
            (#"{"passphrase":"x"}"#, "proof.type"), (#"{"key":{"base64":"AAAA"}}"#, "proof.type"),
            (#"{"prompt":true}"#, "proof.type"), (#"{"type":"face"}"#, "proof.type"),
            (#"{"type":"passphrase"}"#, "proof.passphrase"), (#"{"type":"key","passphrase":"x"}"#, "proof.key"),
            (#"{"type":"passphrase","passphrase":""}"#, "proof.passphrase"), (#""passphrase""#, "proof"),
        ])
    func refused(_ proof: String, _ member: String) {
        let problem = #expect(throws: ProtocolProblem.self) { try Self.kind(proof) }
        #expect(problem?.member == member)
    }

    @Test("A vault and a backup are opened by a secret alone", arguments: ["prompt", "terminal"])
    func secretsOnly(_ kind: String) {
        let unlock = #expect(throws: ProtocolProblem.self) {
            try VaultUnlock(line: #"{"proof":{"type":"\#(kind)"}}"#.utf8)
        }
        #expect(unlock?.member == "proof.type")
        let restore = #expect(throws: ProtocolProblem.self) {
            try VaultRestore(line: #"{"path":"/x","secret":{"type":"\#(kind)"}}"#.utf8)
        }
        #expect(restore?.member == "secret.type")
    }

    @Test("The former members of vault.unlock are no proof")
    func formerUnlock() throws {
        #expect(try VaultUnlock(line: #"{"passphrase":"x","terminal":true}"#.utf8).proof?.kind == nil)
    }
}
