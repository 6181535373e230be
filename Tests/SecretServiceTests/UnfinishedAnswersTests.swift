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
        let answers = UnfinishedAnswers.ofCalls()
        func add(_ bytes: Int, of app: String) -> Bool { (try? answers.add(bytes, of: app)) != nil }
        let most = BridgeLimits.answerBytes.app
        #expect(add(most, of: "a") && !add(1, of: "a"))
        var others = 0
        while add(most, of: "app \(others)") { others += 1 }
        let all = BridgeLimits.answerBytes.all
        #expect((others + 1) * most <= all && (others + 2) * most > all)
        answers.remove(most, of: "a")
        #expect(add(most - 1, of: "a") && !add(2, of: "a") && add(1, of: "a") && !add(1, of: "a"))
    }

    @Test("A program may have one call with the most and the largest items; the memory of all is enough for the unit")
    func largest() {
        let path = SecretPath.item(
            collection: String(repeating: "x", count: BridgeLimits.nameBytes),
            name: String(repeating: "x", count: BridgeLimits.nameBytes))
        let object = path.text.utf8.count + Limits.itemDataBytes + BridgeLimits.answerBytesPerObject
        #expect(BridgeLimits.objectsPerCall * object <= BridgeLimits.answerBytes.app)
        // Attributes are read before secrets.
        #expect(Limits.itemDataBytes >= BridgeLimits.answerBytesPerMetadata)
        let attributes = Limits.itemAttributesBytes + Limits.itemNameBytes
        #expect(attributes < BridgeLimits.answerBytesPerMetadata)
        #expect(BridgeLimits.itemsPerSearch * BridgeLimits.answerBytesPerObject <= BridgeLimits.answerBytes.app)
        // What is held in blocks of up to twice the size, and a message that grows by copying.
        func most(_ held: BridgeLimits.ByteLimits) -> Int { 2 * (held.all + BridgeLimits.callers * held.least) }
        let answers = most(BridgeLimits.answerBytes) + 3 * BridgeLimits.answerBytes.app
        // A call with what was read from it; and one message of the bus's limit, whose size is known when it was read.
        let others = most(BridgeLimits.promptBytes) + most(BridgeLimits.waitingMessageBytes) + (128 << 20)
        #expect(answers + others < 512 << 20, "MemoryMax")
        #expect(BridgeLimits.objectsPerCall * (path.text.utf8.count + 16) <= BridgeLimits.messageBytes)
    }

    @Test("What a call holds is counted until it ends, once, and what was refused is not")
    func held() throws {
        let answers = UnfinishedAnswers.ofCalls()
        let (first, second) = (HeldBytes(answers, of: "a"), HeldBytes(answers, of: "a"))
        let half = BridgeLimits.answerBytes.app / 2
        try first.add(half)
        #expect(throws: BusError.self) { try second.add(half + 1) }
        try second.add(half)
        for _ in 0..<2 { first.end() }
        #expect(throws: BusError.self) { try first.add(half + 1) }
        try first.add(half)
        second.end()
        first.end()
        try first.add(2 * half)
    }

    @Test("What others hold keeps no program from holding a little")
    func least() throws {
        let answers = UnfinishedAnswers.ofCalls()
        let limits = BridgeLimits.answerBytes
        var left = limits.all
        while left > 0 {
            try HeldBytes(answers, of: "\(left)").add(min(left, limits.app))
            left -= limits.app
        }
        let own = HeldBytes(answers, of: "own")
        try own.add(limits.least)
        #expect(throws: BusError.self) { try own.add(1) }
    }

    @Test("What connections hold counts for their process once that is known; past its limit it is not held")
    func moved() throws {
        let messages = UnfinishedAnswers.ofMessages()
        let most = BridgeLimits.waitingMessageBytes.app
        let (first, second) = (HeldBytes(messages, of: ":1.1"), HeldBytes(messages, of: ":1.2"))
        for held in [first, second] { try held.add(most) }
        try first.move(to: "1")
        try first.move(to: "1")
        #expect(throws: BusError.self) { try second.move(to: "1") }
        second.end()
        #expect(throws: BusError.self) { try second.add(1) }
        for name in [":1.1", ":1.2"] { try HeldBytes(messages, of: name).add(most) }
        first.end()
        try second.add(most)
    }

    @Test("A search keeps of an item what its path needs; the largest prompts fit, and count until they are released")
    func kept() throws {
        let item = SecretItem(
            id: "itm_1", attributes: ["a": String(repeating: "x", count: Limits.itemAttributesBytes)], label: "label",
            collection: "work", created: 1, modified: 2)
        let kept = item.withoutDetails
        #expect(kept.bytes == BridgeLimits.answerBytesPerObject && item.bytes > kept.bytes + Limits.itemAttributesBytes)
        #expect(kept.id == item.id && kept.collection == "work" && kept.created == 1 && !kept.isWithheld)
        let name = String(repeating: "x", count: BridgeLimits.nameBytes)
        let paths = [SecretPath](repeating: .item(collection: name, name: name), count: BridgeLimits.objectsPerCall)
        let ids = [String](repeating: "itm_1", count: BridgeLimits.itemsPerSearch)
        let prompts = UnfinishedAnswers.ofPrompts()
        for action in [PendingPrompt.Action.unlock(paths), .delete(ids, collection: nil)] {
            for _ in 0..<100 {
                let held = HeldBytes(prompts, of: "a")
                try held.add(action.bytes)
                _ = PendingPrompt(action, held)
            }
        }
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
        // The paths alone are longer than a call may be.
        let long = String(repeating: "x", count: BridgeLimits.answerBytes.app / numbers.count)
        let large = numbers.map { "\(collection)/itm_\($0)\(long)" }
        // Ids of no items.
        let many = numbers.dropLast().map { "\(collection)/itm_\(10_000_000_000_000_000 + $0)000000000000000" }
        let text = "A call has at most \(BridgeLimits.messageBytes) bytes"
        for _ in 0..<4 {
            #expect(throws: BusError.invalid(text)) { try client.secrets(large, session) }
            #expect(try client.secrets(many + [item], session) == [item])
        }
    }

    @Test("Calls that would read the metadata of too many objects at once are refused; the next ones are served")
    func metadata() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let item = try client.make(["a": "1"], session: try client.session())
        let collection = SecretPath.collection(token: SecretServiceNames.login).text
        // Ids of no items.
        let others = (1..<BridgeLimits.objectsPerCall).map {
            "\(collection)/itm_\(10_000_000_000_000_000 + $0)000000000000000"
        }
        let text = "At most \(BridgeLimits.answerBytes.app) bytes in unanswered calls of one program"
        let refusal = BusError.tooMany(text)
        let bridge = try stage.bridge()
        for _ in 0..<2 {
            // Its first calls: all of them wait until the bridge has identified the connection.
            let flood = try BusClient(stage)
            var answers: [BusError?] = []
            for _ in 0..<BridgeLimits.callsPerCaller {
                try flood.begin(SecretServiceNames.root, "Secret.Service", "Unlock") { message throws(BusError) in
                    try message.append([item] + others, type: "o")
                } answer: { result in
                    if case .failure(let error) = result { answers.append(error) } else { answers.append(nil) }
                }
            }
            try flood.wait { answers.count == BridgeLimits.callsPerCaller }
            #expect(answers.contains(nil) && answers.contains(refusal), "\(answers)")
            #expect(answers.allSatisfy { $0 == nil || $0 == refusal }, "\(answers)")
            #expect(try flood.unlock([item] + others).unlocked == [item])
        }
        #expect(try stage.bridge() == bridge)
    }

    @Test("A call that is too long is refused whatever its arguments are; those that wait are limited together")
    func messages() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        func alias(_ bytes: Int) throws -> Result<BusMessage, BusError> {
            try client.call(SecretServiceNames.root, "Secret.Service", "ReadAlias") { message throws(BusError) in
                try message.append(String(repeating: "x", count: bytes))
            }
        }
        let tooLong = BusError.invalid("A call has at most \(BridgeLimits.messageBytes) bytes")
        #expect(throws: tooLong) { try alias(BridgeLimits.messageBytes).get() }
        // Variants of nothing: each has its signature in the message.
        let contents = "(\(String(repeating: "y", count: 250)))"
        let variants = try client.call(SecretServiceNames.root, "Secret.Service", "ReadAlias") {
            message throws(BusError) in
            try message.write("a", of: "v") { () throws(BusError) in
                for _ in 0...BridgeLimits.messageBytes / contents.utf8.count {
                    try message.write("v", of: "a" + contents) { () throws(BusError) in
                        try message.write("a", of: contents) {}
                    }
                }
            }
        }
        #expect(throws: tooLong) { try variants.get() }
        let flood = try BusClient(stage)
        var answers: [BusError?] = []
        let bytes = BridgeLimits.messageBytes - 64
        let count = 2 * BridgeLimits.waitingMessageBytes.app / bytes
        for _ in 0..<count {
            // Its first calls: all of them wait until the bridge has identified the connection.
            try flood.begin(SecretServiceNames.root, "Secret.Service", "ReadAlias") { message throws(BusError) in
                try message.append(String(repeating: "x", count: bytes))
            } answer: { result in
                if case .failure(let error) = result { answers.append(error) } else { answers.append(nil) }
            }
        }
        try flood.wait { answers.count == count }
        let limit = BridgeLimits.waitingMessageBytes.app
        let refusal = BusError.tooMany("At most \(limit) bytes in unanswered messages of one program")
        #expect(answers.contains(nil) && answers.contains(refusal), "\(answers)")
        #expect(throws: Never.self) { try alias(bytes).get() }
    }

    @Test("Prompts of one connection that would hold too much are dropped, the oldest first; the next one is there")
    func prompts() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let name = String(repeating: "x", count: BridgeLimits.nameBytes)
        let paths = (0..<BridgeLimits.objectsPerCall).map {
            SecretPath.item(collection: name, name: "\(10_000 + $0)\(name.dropFirst(5))").text
        }
        var prompts: [String] = []
        for _ in 0..<BridgeLimits.promptsPerCaller { prompts.append(try client.unlock(paths).prompt) }
        func dismiss(_ prompt: String) throws -> Bool {
            if case .success = try client.call(prompt, "Secret.Prompt", "Dismiss") { true } else { false }
        }
        #expect(try !dismiss(prompts[0]) && dismiss(prompts[prompts.count - 1]))
    }
}
