// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import ConfigurationFiles
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import Settings
import Testing

@testable import Support

@Suite("What waits for others")
struct LateInspectionTests {
    @Test("Programs that could not be inspected in time are not reported as missing: the fix is another one")
    func lateInspection() throws {
        let slow = """
            {"bundleID": "org.example.Slow", "name": "Slow", "executables": ["/usr/bin/slow"],
             "entitlements": {"com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
             "com.apple.developer.authentication-services.autofill-credential-provider": true}}
            """
        let registrations = try TestRegistrations(["org.example.Slow": slow])
        let daemon = try TestService(registrations: registrations.path)
        let user = try daemon.user()
        let call = GrantAllow(bundleID: "org.example.Slow", service: .shop, proof: .test)
        let missing = try #require(try user.refusal(of: call)?.reasons.first)
        #expect(missing.reason == "app-not-installed" && missing.fix.hasPrefix("Install org.example.Slow"))
        daemon.parts.work.holdsInspections = true
        let sent = try user.send(call)
        daemon.clock.advance(milliseconds: Int64(Limits.fileLookMilliseconds))
        try daemon.settle()
        let late = try #require(try sent.refusal()?.reasons.first)
        #expect(late.reason == "app-not-installed" && late.retry == "afterDelay" && missing.retry == "afterChange")
        #expect(late.fix.hasPrefix("Try again: What its registration names could not be inspected in time"))
        #expect(late.fix.contains("/org.example.Slow.json names respond within 2 seconds"))
        daemon.parts.work.releaseAll()
        try daemon.settle()
    }

    @Test("While what one registration names hangs it has one thread, and what others name is inspected")
    func hungRegistration() throws {
        func app(_ name: String) -> String {
            """
            {"bundleID": "org.example.\(name)", "name": "\(name)", "executables": ["/usr/bin/\(name)"],
             "entitlements": {"com.apple.developer.associated-domains": ["webcredentials:shop.example.com"],
             "com.apple.developer.authentication-services.autofill-credential-provider": true}}
            """
        }
        let registrations = try TestRegistrations(["org.example.Slow": app("Slow"), "org.example.Other": app("Other")])
        let daemon = try TestService(registrations: registrations.path)
        let user = try daemon.user()
        func call(_ name: String) -> GrantAllow {
            GrantAllow(bundleID: "org.example.\(name)", service: .shop, proof: .test)
        }
        daemon.parts.work.holdsInspections = true
        for _ in 0..<10 {
            let sent = try user.send(call("Slow"))
            daemon.clock.advance(milliseconds: Int64(Limits.fileLookMilliseconds))
            try daemon.settle()
            let late = try #require(try sent.refusal()?.reasons.first)
            #expect(late.retry == "afterDelay")
            // Its own greeting, too.
            let greeting = try #require(try daemon.connect().refusal(of: Hello(bundleID: "org.example.Slow")))
            #expect(greeting.reasons.first?.fix.contains("could not be inspected in time") == true)
        }
        #expect(daemon.parts.pool.stuck(.files) == 1)
        daemon.parts.work.holdsInspections = false
        let other = try #require(try user.refusal(of: call("Other"))?.reasons.first)
        #expect(other.reason == "app-not-installed" && other.retry == "afterChange")
        daemon.parts.work.releaseAll()
        try daemon.settle()
        let missing = try #require(try user.refusal(of: call("Slow"))?.reasons.first)
        #expect(missing.reason == "app-not-installed" && missing.retry == "afterChange")
    }

    @Test("While the file of the settings hangs it has one thread, and it is read again once it answers")
    func hungFile() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = SettingsFiles(administrator: nil, user: folder + "/settings.json", userID: getuid())
        let daemon = try TestService(settingsFiles: files)
        let control = daemon.connect()
        try control.greet(as: "org.autofilld.autofillctl")
        let change = SettingSet(setting: "logLevel", value: .string("debug"))
        daemon.parts.work.holdsInspections = true
        for _ in 0..<10 {
            let sent = try control.send(change)
            daemon.clock.advance(milliseconds: Int64(Limits.fileLookMilliseconds))
            try daemon.settle()
            #expect(try sent.reasons() == ["settings-invalid"])
        }
        #expect(daemon.parts.pool.stuck(.files) == 1)
        daemon.parts.work.holdsInspections = false
        daemon.parts.work.releaseAll()
        try daemon.settle()
        #expect(try control.answer(to: change).changed && daemon.settings.logLevel == .debug)
    }

    @Test(
        "Whichever inspection is late, and its own registration's, a program that asks through Secret Service gets no other name",
        .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
    func lateName() throws {
        let (onTime, count) = try greeting("/usr/bin/shop")
        #expect(onTime == "org.example.Shop")
        // All registrations are inspected together, whether one names it or not.
        let other = try greeting("/usr/bin/other")
        #expect(other.app?.hasPrefix("program.other.") == true && other.inspections == count)
        var apps: Set<String?> = []
        // Where all registrations are late together, its own is the third of those that are inspected by themselves.
        for first in 0..<count {
            for second in [first, first + 3] { apps.insert(try greeting("/usr/bin/shop", late: [first, second]).app) }
        }
        #expect(apps == ["org.example.Shop", nil])
    }

    /// The app as which a program is greeted; nil: it is refused. Two of its inspections, by their number, are late.
    private func greeting(_ path: String, late: Set<Int> = []) throws -> (app: String?, inspections: Int) {
        func app(_ name: String, _ path: String) -> String {
            #"{"bundleID": "org.example.\#(name)", "name": "\#(name)", "executables": ["\#(path)"], "entitlements": {}}"#
        }
        let world = try SecretServiceWorld([
            "org.example.Dead": app("Dead", "/usr/bin/dead"), "org.example.Shop": app("Shop", "/usr/bin/shop"),
        ])
        let daemon = try world.service()
        let connection = try world.open(daemon, SecretServiceWorld.Caller(path))
        let work = daemon.parts.work
        var (last, inspections) = (work.count, 0)
        work.holdsInspections = true
        let hello = Hello(bundleID: "autofilld.secrets", onBehalfOf: .init(evidence: "D-Bus :1.42"))
        let sent = try connection.send(hello, with: world.pidfd)
        while let next = work.held(after: last) {
            last = next.number
            if late.contains(inspections) {
                daemon.clock.advance(milliseconds: Int64(Limits.fileLookMilliseconds))
                try daemon.settle()
            } else {
                try daemon.finish(next)
            }
            inspections += 1
        }
        if sent.waits { work.releaseAll() }
        try daemon.settle()
        guard case .success(let answer) = try sent.outcome() else { return (nil, inspections) }
        return (answer.app.bundleID, inspections)
    }

    @Test("The words of forms are built once the client is answered that was there first, and not before")
    func words() throws {
        let daemon = try TestService()
        nonisolated(unsafe) let work = daemon.parts.work
        let shop = daemon.connect()
        try daemon.onEngine { $0.prepareForms(isAwaited: true) }
        #expect(!work.lanes.contains(.rules))
        // Its answer is written, and has not left.
        daemon.leave {}
        _ = try shop.send("hello", ["bundleID": "org.example.Shop", "protocol": 1])
        try daemon.onEngine { engine in
            #expect(engine.outgoingBytes > 0)
            engine.endTurn { _, _ in #expect(!work.lanes.contains(.rules)) }
            #expect(engine.outgoingBytes == 0)
        }
        #expect(work.lanes.count { $0 == .rules } == 1)
        _ = try shop.send("status")
        try daemon.onEngine { engine in
            #expect(engine.outgoingBytes > 0)
            engine.endTurn { _, _ in }
        }
        #expect(work.lanes.count { $0 == .rules } == 1)
    }

    @Test("Where nobody has come, or somebody was answered already, they are built at once")
    func atOnce() throws {
        for hasClient in [false, true] {
            let daemon = try TestService()
            if hasClient { try daemon.connect().greet() }
            try daemon.onEngine { $0.prepareForms(isAwaited: hasClient) }
            #expect(daemon.parts.work.lanes.contains(.rules))
        }
    }
}
