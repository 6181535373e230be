// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import PeerIdentity
import Prompting
import Settings
import Support
import TestGround
import Testing

/// What a day of scripts asks the user: each run stores a secret, and finds it.
@Suite(
    "A day of scripts",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct DayOfScriptsTests {
    typealias Caller = SecretServiceWorld.Caller
    private static let attributes = ["service": "backup", "user": "ann"]
    private static let path = "/home/ann/bin/day.sh"

    /// What starts a script's requests; each call of secret-tool is a connection of its own, Python's program has one.
    private enum Kind: String, CaseIterable {
        case shell = "shell, cron, ssh"
        case python = "Python"
        case make = "Makefile"

        /// The connections of one run, the first of which stores.
        func callers(_ run: UInt64, login: String, content: String) -> (store: Caller, lookup: Caller?) {
            let tool = Caller("/usr/bin/secret-tool").again(run, login: login)
            switch self {
            case .shell:
                let shell = Caller("/usr/bin/dash").running(DayOfScriptsTests.path, content: content).again(
                    run, login: login)
                return (tool.started(by: shell), tool.started(by: shell))
            case .python:
                let python = Caller("/usr/bin/python3.11").running("/home/ann/bin/day.py", content: content)
                return (python.again(run, login: login), nil)
            case .make:
                let make = Caller("/usr/bin/make").again(run, login: login)
                return (tool.started(by: make), tool.started(by: make))
            }
        }
    }

    /// One run; how often the user was asked.
    private func run(
        _ kind: Kind, _ number: UInt64, _ world: SecretServiceWorld, _ daemon: TestService,
        _ answer: ConsentAnswer?, login: String = "boot/1", content: String = "5c"
    ) throws -> (prompts: Int, reasons: [ReasonReport]) {
        var (prompts, reasons) = (0, [ReasonReport]())
        func ask<Call: MethodCall>(_ connection: ServiceConnection, _ call: Call) throws {
            let sent = try connection.send(call)
            while let question = daemon.questions.first {
                prompts += 1
                if kind != .make { #expect(question.first.description.contains("“Backup”")) }
                try daemon.answer(question, answer)
            }
            reasons += try sent.refusal()?.reasons ?? []
        }
        let callers = kind.callers(number, login: login, content: content)
        let first = try world.connect(daemon, callers.store)
        try ask(first, first.keeping(Self.attributes, "s3cret", label: "Backup", replace: true))
        let second = if let lookup = callers.lookup { try world.connect(daemon, lookup) } else { first }
        try ask(second, KeychainSearch(attributes: Self.attributes, page: PageRequest(limit: 10)))
        return (prompts, reasons)
    }

    @Test("How often the user is asked is what the manual page says, with a desktop or a terminal, and on the next day")
    func prompts() throws {
        var table = [Self.line("script", "answer", ["first run", "second run", "next day"])]
        for kind in Kind.allCases {
            for (answer, name) in [
                (ConsentAnswer.once, "This time"), (.login, "Until logout"), (.allow, "Always"),
            ] {
                let world = try SecretServiceWorld()
                let daemon = try world.service()
                let counts = try [(1, "boot/1"), (2, "boot/1"), (3, "next/1")].map { number, login in
                    let (prompts, reasons) = try run(kind, UInt64(number), world, daemon, answer, login: login)
                    #expect(reasons.isEmpty)
                    return prompts
                }
                table.append(Self.line(kind.rawValue, name, counts.map(String.init)))
            }
        }
        let page = try String(
            contentsOfFile: TestFiles.root + "systemd/man/autofill-secrets.8", encoding: .utf8)
        #expect(page.contains(".EX\n" + table.joined(separator: "\n") + "\n.EE"), "\(table.joined(separator: "\n"))")
    }

    private static func line(_ script: String, _ answer: String, _ counts: [String]) -> String {
        let padded = { (text: String, width: Int) in String(repeating: " ", count: width - text.count) }
        return script + padded(script, 19) + answer + padded(answer, 15)
            + zip(counts, [9, 12, 10]).map { padded($0, $1) + $0 }.joined()
    }

    @Test("A changed script asks again, whatever was answered before; never is an answer for all its versions")
    func changed() throws {
        for answer in [ConsentAnswer.login, .allow] {
            let world = try SecretServiceWorld()
            let daemon = try world.service()
            #expect(try run(.shell, 1, world, daemon, answer).prompts == 1)
            #expect(try run(.shell, 2, world, daemon, answer).prompts == 0)
            #expect(try run(.shell, 3, world, daemon, .once, content: "changed").prompts == 1)
            #expect(try run(.shell, 4, world, daemon, .never, content: "changed").prompts == 1)
            #expect(try run(.shell, 5, world, daemon, .once, content: "again").prompts == 0)
        }
    }

    @Test("Always is offered to what a script starts only where root alone can change the script's interpreter")
    func usersInterpreter() throws {
        for (shell, isLasting) in [(Caller("/usr/bin/dash"), true), (Caller(usersOwn: "/home/ann/bin/dash"), false)] {
            let world = try SecretServiceWorld()
            let daemon = try world.service()
            let tool = Caller("/usr/bin/secret-tool").started(by: shell.running(Self.path))
            let first = try world.connect(daemon, tool)
            _ = try first.send(first.keeping(Self.attributes, "s3cret", label: "Backup", replace: true))
            let second = try world.connect(daemon, tool)
            _ = try second.send(KeychainSearch(attributes: Self.attributes, page: PageRequest(limit: 10)))
            let question = try #require(daemon.questions.first)
            #expect(question.first.answers.contains { $0.label == "Always" } == isLasting)
        }
    }

    @Test("This time is one run: not another run of the script, nor another script or program that the run starts")
    func oneRun() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        #expect(try run(.shell, 1, world, daemon, .once).prompts == 1)
        let shell = Caller("/usr/bin/dash").running(Self.path).again(1, login: "boot/1")
        let tool = Caller("/usr/bin/secret-tool").again(9, login: "boot/1")
        #expect(try world.connect(daemon, tool.started(by: shell)).found(Self.attributes).count == 1)
        for other in [
            shell.again(2, login: "boot/1"), shell.running(Self.path, content: "changed"), shell.again(1, login: "b/2"),
        ] {
            let connection = try world.connect(daemon, tool.started(by: other))
            let search = KeychainSearch(attributes: Self.attributes, page: PageRequest(limit: 10), interaction: .forbid)
            #expect(try connection.reasons(for: search) == ["interaction-required"])
        }
        // A lock ends it.
        let user = try daemon.user()
        try user.answer(to: VaultLock())
        try user.answer(to: VaultUnlock(proof: .test))
        let again = try world.connect(daemon, tool.started(by: shell))
        _ = try again.send(KeychainSearch(attributes: Self.attributes, page: PageRequest(limit: 10)))
        #expect(daemon.questions.count == 1)
    }

    @Test(
        "Without a desktop the refusal names the script and what it would read, and its command allows that from then on"
    )
    func noDesktop() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        let (_, reasons) = try run(.shell, 1, world, daemon, nil)
        let refusal = try #require(reasons.first)
        #expect(refusal.reason == "grant-missing")
        let command = "autofillctl grant allow \(Self.path)"
        #expect(refusal.fix == "Let \(Self.path) read all secrets that it has saved itself: \(command)")
        let user = try daemon.user()
        let allowed = try user.answer(to: GrantAllow(.program(path: Self.path), .keychain(.own), proof: .test))
        #expect(
            allowed.grants.map(\.executable) == ["via:\(SecretServiceWorld.bridge) script:\(Self.path)#5c"])
        for (number, login) in [(2, "boot/1"), (3, "next/1")] {
            let (prompts, reasons) = try run(.shell, UInt64(number), world, daemon, nil, login: login)
            #expect(prompts == 0 && reasons.isEmpty)
        }
        #expect(try run(.shell, 4, world, daemon, nil, content: "changed").reasons.first?.reason == "grant-missing")
    }

    @Test("Where secrets are shared as gnome-keyring does no script is asked about")
    func shared() throws {
        let world = try SecretServiceWorld()
        var settings = DaemonSettings()
        settings.secretServiceIsolation = .none
        let daemon = try world.service(settings: settings)
        for kind in Kind.allCases {
            for number in 1...2 {
                let (prompts, reasons) = try run(kind, UInt64(number), world, daemon, nil)
                #expect(prompts == 0 && reasons.isEmpty)
            }
        }
    }
}
