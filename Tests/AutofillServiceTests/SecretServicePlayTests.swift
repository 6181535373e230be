// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
import Settings
import Support
import TestGround
import Testing

/// Two programs, two thousand random calls each, with grants given and taken.
@Suite(
    "Neither of two programs sees what the other keeps through Secret Service",
    .enabled(if: getuid() == 0, "needs root, to make a registration that is root's alone"))
struct SecretServicePlayTests {
    @Test(
        "No secret, label or attribute of the other is in any answer without a grant", .timeLimit(.minutes(10)))
    func play() throws {
        var play = try SecretServicePlay(seed: 1)
        for _ in 0..<4000 { try play.step() }
        #expect(play.leaks.isEmpty, "\(play.leaks.prefix(5))")
        // The play can find something: under a grant each got what is the other's, and each its own.
        #expect(play.shared > 20 && play.own > 200 && play.refused > 200, "\(play.shared) \(play.own) \(play.refused)")
    }
}

/// A play of two programs; each line that one gets is held against what is the other's.
private struct SecretServicePlay {
    private typealias Caller = SecretServiceWorld.Caller

    private struct Player {
        var connection: ServiceConnection
        let path: String
        let mark: String
        var items: [String] = []
        /// By the item's id.
        var grants: [String: String] = [:]
    }

    private let world: SecretServiceWorld
    private let daemon: TestService
    private let user: ServiceConnection
    private var random: SeededGenerator
    private var players: [Player] = []
    private(set) var leaks: [String] = []
    private(set) var (shared, own, refused) = (0, 0, 0)

    init(seed: UInt64) throws {
        world = try SecretServiceWorld()
        daemon = try world.service()
        user = try daemon.user()
        random = SeededGenerator(seed: seed)
        for (path, mark) in [("/usr/bin/alpha", "ALPHA"), ("/usr/bin/beta", "BETA")] {
            players.append(
                Player(connection: try world.connect(daemon, Caller(path)), path: path, mark: mark))
        }
    }

    mutating func step() throws {
        let me = Int.random(in: 0...1, using: &random)
        let other = players[1 - me]
        switch Int.random(in: 0..<20, using: &random) {
        case 0: players[me].connection = try world.connect(daemon, Caller(players[me].path))
        case 1:
            // The user allows one item, or revokes a grant.
            if let item = other.items.randomElement(using: &random), Bool.random(using: &random) {
                let secret = GrantTarget.keychain(.item(item, accessGroup: SecretServiceWorld.group))
                let answer = try user.answer(
                    to: GrantAllow(.program(path: players[me].path), secret, proof: .test))
                players[me].grants[item] = try #require(answer.grants.first).grant
            } else if let (item, grant) = players[me].grants.min(by: { $0.key < $1.key }) {
                players[me].grants[item] = nil
                _ = try user.answer(to: GrantRevoke(grant: grant, proof: .test))
            }
        case 2...5: try keep(me, replaces: nil)
        case 6...7: try keep(me, replaces: Bool.random(using: &random))
        case 8...11:
            try send(me, KeychainSearch(attributes: attributes(), page: PageRequest(limit: 20), interaction: .forbid))
        case 12:
            try send(
                me,
                KeychainSearch(collection: Bool.random(using: &random) ? "login" : nil, page: PageRequest(limit: 20)))
        case 13...16: try send(me, KeychainGet(.id(anyItem()), interaction: .forbid))
        case 17:
            try send(
                me,
                KeychainSet(
                    .item(anyItem()), details: ItemDetails(label: "\(players[me].mark) label"), data: nil,
                    interaction: .forbid))
        case 18: try send(me, KeychainRequest(items: (0..<5).map { _ in anyItem() }, interaction: .forbid))
        default:
            let item = anyItem()
            let isDone = try send(me, KeychainDelete(.id(item), interaction: .forbid))
            if isDone { for index in 0...1 { players[index].items.removeAll { $0 == item } } }
        }
    }

    /// Few names and values, so that the two coincide; and one that identifies its owner.
    private mutating func attributes() -> [String: String] {
        var attributes = ["server": "s\(Int.random(in: 0..<4, using: &random))"]
        if Bool.random(using: &random) { attributes["user"] = "u\(Int.random(in: 0..<3, using: &random))" }
        return attributes
    }

    private mutating func anyItem() -> String {
        (players[0].items + players[1].items).randomElement(using: &random) ?? "itm_00000000000000000000000000000000"
    }

    private mutating func keep(_ me: Int, replaces: Bool?) throws {
        let mark = players[me].mark
        var names = attributes()
        if replaces == nil { names["hidden"] = "\(mark) attribute" }
        let call = KeychainSet(
            .attributes(accessGroup: nil),
            details: ItemDetails(attributes: names, label: "\(mark) label", collection: "login"),
            data: SecretBytes(utf8: "\(mark) secret"), replace: replaces, interaction: .forbid)
        let line = try exchange(me, call)
        if let item = line.range(of: #"itm_[0-9a-f]{32}"#, options: .regularExpression), !line.contains(#""error""#) {
            let id = String(line[item])
            if !(players[0].items + players[1].items).contains(id) { players[me].items.append(id) }
        }
    }

    @discardableResult
    private mutating func send(_ me: Int, _ call: some MethodCall) throws -> Bool {
        !(try exchange(me, call)).contains(#""error""#)
    }

    /// Sends it, and searches every line that comes for what is the other's.
    private mutating func exchange(_ me: Int, _ call: some MethodCall) throws -> String {
        let line = try players[me].connection.exchange(bytes: players[me].connection.prepare(call).line).joined()
        let others = players[1 - me]
        if line.contains(#""error""#) { refused += 1 }
        // Each item of the answer by itself: its members, behind its id.
        for part in line.components(separatedBy: #""item":""#).dropFirst() {
            let id = String(part.prefix { $0 != "\"" })
            let text = part.replacingOccurrences(of: "\\/", with: "/")
            let isOthers = others.items.contains(id)
            let shows =
                text.contains("\(others.mark) ")
                || text.contains(Data("\(others.mark) secret".utf8).base64EncodedString())
            if players[me].items.contains(id) { own += 1 }
            guard isOthers, shows else { continue }
            if players[me].grants[id] != nil { shared += 1 } else { leaks.append("\(others.mark): \(part)") }
        }
        if line.contains(#""error""#), line.contains("\(others.mark) ") || line.contains(others.path) {
            leaks.append(line)
        }
        return line
    }
}
