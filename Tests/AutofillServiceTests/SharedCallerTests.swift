// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import Prompting
import Support
import Testing

@Suite(
    "A program whose requests another one may make too counts as an interpreter",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct SharedCallerTests {
    private typealias Caller = SecretServiceWorld.Caller
    private static let login = ["user": "ann"]

    private static func silently(_ item: String) -> KeychainGet { KeychainGet(.id(item), interaction: .forbid) }

    @Test("What the program stored is released with the consent of the user only, and to the program by itself without")
    func stored() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        var caller = Caller("/usr/bin/maker")
        let own = try world.connect(daemon, caller)
        let item = try own.keep(Self.login, "one")
        caller.isShared = true
        let shared = try world.connect(daemon, caller)
        #expect(try shared.reasons(for: Self.silently(item)) == ["interaction-required"])
        let sent = try shared.send(KeychainGet(.id(item)))
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try sent.reasons() == ["consent-denied"])
        #expect(try own.secret(item) == "one" && daemon.questions.isEmpty)
    }

    @Test("What it stores is its own with the user's consent, on each connection: no script is known of it")
    func consent() throws {
        let world = try SecretServiceWorld()
        let daemon = try world.service()
        var caller = Caller("/usr/bin/maker")
        caller.isShared = true
        let item = try world.connect(daemon, caller).keep(Self.login, "one")
        let again = try world.connect(daemon, caller)
        #expect(try again.reasons(for: Self.silently(item)) == ["interaction-required"])
        let sent = try again.send(KeychainGet(.id(item)))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try sent.answer().data.text == "one")
        #expect(try again.secret(item) == "one")
        let later = try world.connect(daemon, caller)
        #expect(try later.reasons(for: Self.silently(item)) == ["interaction-required"])
    }
}
