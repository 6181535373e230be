// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Support
import Systemd
import TestGround
import Testing

@testable import SecretService

@Suite(
    "Prompts for a program on the bus", .serialized, .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct PromptedUserTests {
    private static let isLocked = "org.freedesktop.Secret.Error.IsLocked"

    /// A stage where another program keeps an item, a client, and the item's path as the client finds it.
    private func stage(hold: Int = 500) throws -> (SecretStage, PromptedUser, BusClient, path: String) {
        let stage = try SecretStage(consent: nil, options: "--test-hold \(hold)")
        _ = try stage.run(script: "one.sh", "printf s3cr3t | secret-tool store --label=Mail service mail user ann")
        let client = try BusClient(stage)
        let found = try client.search(["service": "mail"])
        #expect(found.unlocked == [] && found.locked.count == 1, "\(stage.daemon.log())")
        return (stage, try PromptedUser(stage), client, try #require(found.locked.first))
    }

    private func secret(_ client: BusClient, _ path: String, _ session: String) throws -> Result<BusMessage, BusError> {
        try client.call(path, "Secret.Item", "GetSecret") { message throws(BusError) in
            try message.append(session, type: "o")
        }
    }

    private func text(_ message: BusMessage) throws -> String {
        let read = try message.read("r", of: "oayays") { () throws(BusError) in
            try message.skip("oay")
            let bytes = try message.readBytes { Array($0) }.get()
            try message.skip("s")
            return bytes
        }
        return String(decoding: try #require(read), as: UTF8.self)
    }

    @Test(
        "A call for another program's secret waits for the prompt, then fails as locked; consent after that serves the next call"
    )
    func held() throws {
        let (_, user, client, path) = try stage()
        let session = try client.session()
        #expect(throws: BusError.self) { try secret(client, path, session).get() }
        #expect(try user.question().contains("wants to read a secret that it did not save itself"))
        try user.answer("yes")
        #expect(try user.question().contains("without asking again"))
        try user.answer("no")
        var answer = try secret(client, path, session)
        while case .failure(let error) = answer {
            #expect(error.name == Self.isLocked)
            answer = try secret(client, path, session)
        }
        #expect(try text(answer.get()) == "s3cr3t")
        let isLocked = try client.property("Locked", of: path, "Secret.Item", "b") { message throws(BusError) in
            try message.readBool()
        }
        #expect(!isLocked)
    }

    @Test(
        "Unlock returns a prompt, which is displayed on request; dismissed it unlocks nothing, with consent the requested items"
    )
    func prompted() throws {
        let (_, user, client, path) = try stage()
        let first = try client.unlock([path])
        #expect(first.unlocked == [])
        #expect(
            try client.call(first.prompt, "Secret.Prompt", "Prompt") { message throws(BusError) in
                try message.append("4711")
            }.isGood)
        #expect(try user.question().contains("wants to read a secret"))
        #expect(
            try !client.call(first.prompt, "Secret.Prompt", "Prompt") { message throws(BusError) in
                try message.append("")
            }.isGood, "once")
        #expect(try client.call(first.prompt, "Secret.Prompt", "Dismiss").isGood)
        #expect(try client.completed(first.prompt) == (true, []))
        #expect(try !client.call(first.prompt, "Secret.Prompt", "Dismiss").isGood, "it does not exist any more")
        // The late answer is ignored.
        let second = try client.unlock([path, "/org/freedesktop/secrets/collection/login"])
        #expect(second.unlocked == ["/org/freedesktop/secrets/collection/login"])
        #expect(
            try client.call(second.prompt, "Secret.Prompt", "Prompt") { message throws(BusError) in
                try message.append("")
            }.isGood)
        #expect(try user.question().contains("wants to read a secret"))
        try user.answer("yes")
        _ = try user.question()
        try user.answer("no")
        let done = try client.completed(second.prompt)
        #expect(!done.isDismissed && done.paths == [path, "/org/freedesktop/secrets/collection/login"])
        #expect(try client.search(["service": "mail"]).unlocked == [path])
    }

    @Test("While the vault is locked a search waits for its passphrase, and never returns an empty result")
    func lockedVault() throws {
        let (stage, user, client, path) = try stage()
        #expect(try stage.user().call("admin.vault.lock").result != nil)
        try client.wait { client.signals.contains { $0.member == "CollectionChanged" } }
        let refused = try client.call(SecretServiceNames.root, "Secret.Service", "SearchItems") {
            message throws(BusError) in
            try message.append(["service": "mail"])
        }
        guard case .failure(let error) = refused else { return #expect(Bool(false), "it returned a result") }
        #expect(error.name == Self.isLocked)
        #expect(try user.question().contains("requests data from your vault"))
        try user.answer("correct horse")
        while true {
            guard let found = try? client.search(["service": "mail"]) else { continue }
            #expect(found.locked == [path])
            break
        }
    }

    @Test("A search that waits for the passphrase keeps no items in memory: it finds those that are there when it ends")
    func replacedMeanwhile() throws {
        let (stage, user, client, path) = try stage(hold: 60_000)
        let session = try client.session()
        func make(_ mail: String) throws -> String {
            try client.make(["service": "mail", "number": mail], in: "session", session: session)
        }
        let first = try make("1")
        #expect(try stage.user().call("admin.vault.lock").result != nil)
        try client.wait { client.signals.contains { $0.member == "CollectionChanged" } }
        var found: Result<BusMessage, BusError>?
        try client.begin(SecretServiceNames.root, "Secret.Service", "SearchItems") { message throws(BusError) in
            try message.append(["service": "mail"])
        } answer: {
            found = $0
        }
        #expect(try user.question().contains("requests data from your vault"))
        let second = try make("2")
        #expect(try client.call(first, "Secret.Item", "Delete").isGood)
        try user.answer("correct horse")
        try client.wait { found != nil }
        let answer = try #require(found).get()
        #expect(try answer.readStrings(type: "o", limit: .max) == [second])
        #expect(try answer.readStrings(type: "o", limit: .max) == [path])
    }

    @Test(
        "The window that a program names is passed to the prompter, also for unlocking the vault")
    func window() throws {
        let (stage, user, client, _) = try stage()
        #expect(try stage.user().call("admin.vault.lock").result != nil)
        try client.wait { client.signals.contains { $0.member == "CollectionChanged" } }
        let unlock = try client.unlock([SecretPath.collection(token: "login").text])
        #expect(unlock.unlocked == [])
        #expect(
            try client.call(unlock.prompt, "Secret.Prompt", "Prompt") { message throws(BusError) in
                try message.append("4711")
            }.isGood)
        #expect(try user.question().contains("requests data from your vault"))
        #expect(try user.window(stage) == "4711")
        try user.answer("correct horse")
        #expect(try client.completed(unlock.prompt).isDismissed == false)
    }

    @Test("A connection has so many prompts that are asked; one more is refused, and others are served")
    func prompts() throws {
        let (stage, user, client, path) = try stage()
        let limits = "org.freedesktop.DBus.Error.LimitsExceeded"
        // The oldest prompt that was never displayed is deleted.
        let first = try client.unlock([path]).prompt
        for _ in 0..<BridgeLimits.promptsPerCaller { _ = try client.unlock([path]) }
        #expect(try !client.call(first, "Secret.Prompt", "Dismiss").isGood)
        let other = try BusClient(stage)
        var prompts: [String] = []
        for _ in 0..<BridgeLimits.promptsPerCaller {
            prompts.append(try other.unlock([path]).prompt)
            let asked = try other.call(prompts[prompts.count - 1], "Secret.Prompt", "Prompt") {
                message throws(BusError) in try message.append("")
            }
            #expect(asked.isGood)
        }
        #expect(try user.question().contains("wants to read a secret"))
        let refused = #expect(throws: BusError.self) { try other.unlock([path]) }
        #expect(refused?.name == limits)
        #expect(try client.unlock([path]).prompt != "/" && stage.lookup().hasPrefix("aoao 0 1 "))
        // A dismissed prompt frees capacity.
        #expect(try other.call(prompts[0], "Secret.Prompt", "Dismiss").isGood)
        #expect(try other.completed(prompts[0]).isDismissed)
        #expect(try other.unlock([path]).prompt != "/")
    }

    @Test("Another's item is neither replaced nor doubled without a yes: the caller is given a prompt")
    func doubles() throws {
        let (_, user, client, path) = try stage()
        let session = try client.session()
        let made = try client.create(["service": "mail", "user": "ann"], session: session)
        #expect(made.item == "/" && made.prompt != "/")
        #expect(
            try client.call(made.prompt, "Secret.Prompt", "Prompt") { message throws(BusError) in try message.append("")
            }.isGood)
        _ = try user.question()
        try user.answer("no")
        #expect(try client.completed(made.prompt).isDismissed)
        let found = try client.search(["service": "mail", "user": "ann"])
        #expect(found.unlocked == [] && found.locked == [path])
    }
}

extension Result {
    fileprivate var isGood: Bool { if case .success = self { true } else { false } }
}
