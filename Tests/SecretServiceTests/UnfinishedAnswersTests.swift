// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Support
import Systemd
import TestGround
import Testing

@testable import SecretService

@Suite("The bytes that unanswered calls hold")
struct UnfinishedAnswersTests {
    @Test("Those of one program, and of all, are limited; what is refused is not counted, and an answer frees capacity")
    func limits() throws {
        var answers = UnfinishedAnswers()
        func add(_ bytes: Int, of app: String) -> Bool { (try? answers.add(bytes, of: app)) != nil }
        let most = BridgeLimits.answerBytesPerApp
        #expect(add(most, of: "a") && !add(1, of: "a"))
        var others = 0
        while add(most, of: "app \(others)") { others += 1 }
        #expect((others + 1) * most <= BridgeLimits.answerBytes && (others + 2) * most > BridgeLimits.answerBytes)
        answers.remove(most, of: "a")
        #expect(add(most - 1, of: "a") && !add(2, of: "a") && add(1, of: "a") && !add(1, of: "a"))
    }

    @Test("A program may have one call with the most and the largest items; the memory of all is enough for the unit")
    func largest() {
        let path = SecretPath.item(
            collection: String(repeating: "x", count: BridgeLimits.nameBytes),
            name: String(repeating: "x", count: BridgeLimits.nameBytes))
        let object = path.text.utf8.count + Limits.itemDataBytes + BridgeLimits.answerBytesPerObject
        #expect(BridgeLimits.objectsPerCall * object <= BridgeLimits.answerBytesPerApp)
        // What is held in blocks of up to twice the size, and a message that grows by copying.
        #expect(2 * BridgeLimits.answerBytes + 3 * BridgeLimits.answerBytesPerApp < 512 << 20, "MemoryMax")
    }
}

@Suite(
    "GetSecrets of many objects", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct ManySecretsTests {
    @Test("A path that a call has several times is answered once")
    func repeated() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let session = try client.session()
        let item = try client.make(["a": "1"], session: session)
        let paths = [String](repeating: item, count: BridgeLimits.objectsPerCall)
        #expect(try client.secrets(paths, session) == [item])
    }

    @Test("A call that would hold too much is refused; calls one after the other, of the most objects, are served")
    func bounded() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let session = try client.session()
        let item = try client.make(["a": "1"], session: session)
        let collection = SecretPath.collection(token: SecretServiceNames.login).text
        let numbers = 0..<BridgeLimits.objectsPerCall
        // The paths alone are longer than the limit.
        let long = String(repeating: "x", count: BridgeLimits.answerBytesPerApp / numbers.count)
        let large = numbers.map { "\(collection)/itm_\($0)\(long)" }
        // Ids of no items.
        let many = numbers.dropLast().map { "\(collection)/itm_\(10_000_000_000_000_000 + $0)0000000000000000" }
        let text = "At most \(BridgeLimits.answerBytesPerApp) bytes in unanswered calls of one program"
        for _ in 0..<4 {
            #expect(throws: BusError.tooMany(text)) { try client.secrets(large, session) }
            #expect(try client.secrets(many + [item], session) == [item])
        }
    }
}
