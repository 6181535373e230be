// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import SecretMemory
import Support
import TestGround
import Testing

@testable import SecretService

@Suite(
    "Master secrets of apps in sandboxes", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: Flatpaks.isAvailable, "\(Flatpaks.need)"))
struct PortalTests {
    private static let shop = "org.example.Shop"

    @Test("Each app has a secret of its own, the same again at any time, and each release is on record as the app's")
    func each() throws {
        let stage = try SecretStage(consent: nil)
        let flatpaks = try Flatpaks(stage)
        let first = try flatpaks.ask(Self.shop)
        #expect(first.response == 0 && first.secret.count == 128, "\(first) \(stage.log) \(stage.daemon.log())")
        let other = try flatpaks.ask("org.example.Other")
        #expect(other.response == 0 && other.secret.count == 128 && other.secret != first.secret)
        kill(try stage.bridge(), SIGKILL)
        #expect(try flatpaks.ask(Self.shop) == first, "\(stage.log)")
        let record = try stage.user().call("admin.release.list", ["proof": PromptedUser.proof])
        let releases = try #require(record.result?["releases"] as? [[String: Any]], "\(record)")
        let release = try #require(releases.first { $0["bundleID"] as? String == Self.shop }, "\(releases)")
        #expect(release["method"] as? String == "keychain.get" && release["refused"] == nil)
        #expect((release["executable"] as? String)?.hasSuffix("through /etc/autofilld/bin/autofill-secrets") == true)
    }

    @Test("Only xdg-desktop-portal may request secrets of other apps, and other requests are in the journal")
    func others() throws {
        let stage = try SecretStage()
        _ = try Flatpaks(stage)
        let asked = try stage.run(["/usr/bin/python3", stage.directory.path + "/ask.py", Self.shop])
        #expect(asked.status != 0 && asked.output.contains("AccessDenied"), "\(asked.output)")
        #expect(stage.log.contains("requested the master secret of an app"), "\(stage.log)")
        #expect(stage.log.contains("script.ask-py."), "\(stage.log)")
    }

    @Test("A sandbox that Flatpak did not install is not the app that it claims to be, and receives nothing")
    func forged() throws {
        let stage = try SecretStage()
        let flatpaks = try Flatpaks(stage)
        let own = try flatpaks.ask(Self.shop)
        #expect(own.response == 0)
        #expect(try flatpaks.ask(Self.shop, installed: false) == Flatpaks.Answer(response: 2, secret: ""))
        #expect(try flatpaks.ask(Self.shop) == own)
    }

    @Test(
        "What another program keeps for the app is asked about, and a no makes no second one", arguments: [true, false])
    func planted(isAllowed: Bool) throws {
        let stage = try SecretStage(consent: isAllowed ? "allow" : "deny")
        let flatpaks = try Flatpaks(stage)
        _ = try stage.run(program: "one", ["store", "--label=x", "app_id", Self.shop], input: "stored")
        let answer = try flatpaks.ask(Self.shop)
        let stored = Data("stored".utf8).map { String(format: "%02x", $0) }.joined()
        let expected = isAllowed ? (response: 0, secret: stored) : (response: 1, secret: "")
        #expect(answer == Flatpaks.Answer(response: expected.response, secret: expected.secret), "\(stage.log)")
        let found = try BusClient(stage).search(["app_id": Self.shop])
        #expect(found.locked.count + found.unlocked.count == 1)
    }

    @Test("A secret imported from gnome-keyring is the app's after one prompt, also for the next time")
    func imported() throws {
        let stage = try SecretStage(consent: nil)
        let (flatpaks, user) = (try Flatpaks(stage), try PromptedUser(stage))
        let secret = Data((0..<64).map { UInt8($0) })
        let kept = try stage.user().call(
            "keychain.set",
            [
                "accessGroup": "org.freedesktop.secrets", "label": "Application key", "collection": "login",
                "attributes": ["app_id": Self.shop, "xdg:schema": "org.freedesktop.Secret.Generic"],
                "data": ["base64": secret.base64EncodedString()], "proof": PromptedUser.proof,
            ])
        try #require(kept.result != nil, "\(kept)")
        let asking = try flatpaks.begin(Self.shop)
        #expect(try user.question().contains("wants to read"))
        try user.answer("yes")
        #expect(try user.question().contains("without asking again"))
        try user.answer("yes")
        let expected = Flatpaks.Answer(response: 0, secret: secret.map { String(format: "%02x", $0) }.joined())
        #expect(try asking.answer() == expected)
        #expect(try flatpaks.ask(Self.shop) == expected)
    }

    @Test("For a locked vault the user is prompted; the prompt ends with the app, and a refusal is returned")
    func locked() throws {
        let stage = try SecretStage(consent: nil)
        let (flatpaks, user) = (try Flatpaks(stage), try PromptedUser(stage))
        let first = try flatpaks.ask(Self.shop)
        #expect(try stage.user().call("admin.vault.lock").result != nil)
        let gone = try flatpaks.begin(Self.shop)
        #expect(try user.question().contains("requests data from your vault"))
        kill(gone.process.processIdentifier, SIGKILL)
        // There is one prompt for all callers that wait: it ends when none waits any more.
        try user.waitForEnd(stage)
        let second = try flatpaks.begin(Self.shop)
        #expect(try user.question().contains("requests data from your vault"))
        try user.answer("correct horse")
        #expect(try second.answer() == first)
        #expect(try stage.user().call("admin.vault.lock").result != nil)
        let third = try flatpaks.begin(Self.shop)
        _ = try user.question()
        try user.answer("no")
        #expect(try third.answer() == Flatpaks.Answer(response: 1, secret: ""))
    }

    @Test("A secret is written to a pipe or a socket at once, or not at all: a full one is not awaited")
    func outlets() throws {
        let secret = SecretBytes(utf8: "s3cret")
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { pipe.forEach { close($0) } }
        #expect(SecretOutlet.write(secret, to: pipe[1]))
        var read = [UInt8](repeating: 0, count: 16)
        #expect(Glibc.read(pipe[0], &read, 16) == 6 && String(decoding: read[..<6], as: UTF8.self) == "s3cret")
        // The writer's own end stays one that waits.
        #expect(fcntl(pipe[1], F_GETFL) & O_NONBLOCK == 0)
        try #require(fcntl(pipe[1], F_SETFL, O_NONBLOCK) == 0)
        while Glibc.write(pipe[1], read, 16) > 0 {}
        try #require(fcntl(pipe[1], F_SETFL, 0) == 0)
        #expect(!SecretOutlet.write(secret, to: pipe[1]))
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        defer { sockets.forEach { close($0) } }
        #expect(SecretOutlet.write(secret, to: sockets[0]) && Glibc.read(sockets[1], &read, 16) == 6)
        let file = open("/dev/null", O_WRONLY)
        defer { close(file) }
        #expect(!SecretOutlet.write(secret, to: file))
    }

    @Test("A pipe in a file system, which may block, is neither inspected nor written to")
    func namedPipes() throws {
        let directory = try TemporaryDirectory()
        try #require(mkfifo(directory.path + "/pipe:[1]", 0o600) == 0)
        let pipe = open(directory.path + "/pipe:[1]", O_RDWR | O_NONBLOCK)
        defer { close(pipe) }
        #expect(pipe >= 0 && !SecretOutlet.write(SecretBytes(utf8: "s3cret"), to: pipe))
    }

    @Test("The evidence about a requester is cut between characters, at the daemon's limit")
    func evidence() {
        for rest in 0..<4 {
            let text = String(repeating: "a", count: rest) + String(repeating: "😀", count: 100)
            let cut = CallerLink.cut(text)
            #expect(text.hasPrefix(cut) && (253...256).contains(cut.utf8.count))
        }
        #expect(CallerLink.cut("D-Bus :1.42") == "D-Bus :1.42")
    }

    @Test(
        "A handle names the caller of the portal; an invalid one is refused",
        arguments: [
            "/org/freedesktop/portal/desktop/request/1_42/t", "/org/freedesktop/portal/desktop/request/x/t",
            "/org/freedesktop/portal/desktop/request/1_42", "/org/freedesktop/portal/desktop/1_42/t",
            "/org/freedesktop/portal/desktop/request/1_42/t/u",
        ])
    func handles(handle: String) throws {
        let request = try? PortalRequest(handle, appID: Self.shop, on: EventLoop())
        #expect(request?.requester == (handle.hasSuffix("/1_42/t") && handle.contains("request") ? ":1.42" : nil))
    }
}
