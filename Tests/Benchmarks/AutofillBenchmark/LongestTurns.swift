// SPDX-License-Identifier: Apache-2.0
import BenchmarkSupport
import Foundation
import Synchronization

/// How long each method delays all other clients, at its worst: with the longest parameters, in a vault in which one
/// site has as much as it may have. Another client sends the smallest requests all the time; how much longer than usual
/// it waits is reported, the least of some tries, for a machine has other work too.
struct LongestTurns {
    private static let limit = 5.0

    private let environment: BenchmarkEnvironment
    private let app: Connection
    private let daemon: Server

    init(_ environment: BenchmarkEnvironment) throws {
        self.environment = environment
        daemon = try environment.daemon(on: 400)
        app = try environment.client(of: daemon)
        try fill()
    }

    /// As much as one app may have, of the longest.
    private func fill() throws {
        for number in 0..<500 {
            let place: [String: Any] = ["place": ["namespace": "worst", "account": Self.long("item\(number)", 1024)]]
            try call("keychain.set", place.merging(["data": Self.bytes(16 * 1024)]) { $1 })
            try call("credential.save", Self.site.merging(Self.user(number)) { $1 })
        }
        for number in 0..<10 { try call("autofill.suggest", Self.form("offer\(number)")) }
    }

    func measure(_ figures: inout Figures) throws {
        let pinger = Pinger(try environment.client(of: daemon))
        let pinging = Repeating { try pinger.ping() }
        defer { pinging.end() }
        for call in Self.calls {
            var (least, refusal) = (Double.infinity, "")
            for number in 0..<5 {
                let id = try call.before.map { try Self.id(in: self.call($0, call.prepared(number))) } ?? ""
                usleep(20_000)
                pinger.reset()
                let answer = try self.call(call.method, call.parameters(number, id))
                if answer.contains(#""error":"#) { refusal = " (refused)" }
                usleep(5000)
                least = min(least, pinger.longest / 1000)
            }
            figures.add(Figure(name: "held by \(call.method)\(refusal)", unit: "ms", value: least, atMost: Self.limit))
        }
    }

    /// The first id of an offer or a credential in an answer.
    private static func id(in answer: String) throws -> String {
        guard let found = answer.firstMatch(of: /(off|crd)_[0-9a-f]{32}/) else { throw BenchmarkFault(answer) }
        return String(found.0)
    }

    @discardableResult
    private func call(_ method: String, _ parameters: [String: Any]) throws -> String {
        let request: [String: Any] = ["jsonrpc": "2.0", "id": 1, "method": method, "params": parameters]
        let line = try JSONSerialization.data(withJSONObject: request, options: .withoutEscapingSlashes)
        return try app.longAnswer(Array(line) + [0x0A])
    }
}

/// Sends the smallest requests, one after the other.
private final class Pinger: Sendable {
    private let connection: Connection
    private let most = Mutex(0.0)

    init(_ connection: Connection) { self.connection = connection }

    /// Since the last reset, in microseconds.
    var longest: Double { most.withLock { $0 } }

    func reset() { most.withLock { $0 = 0 } }

    func ping() throws {
        let start = ContinuousClock.now
        try connection.exchange(Lines.nothing)
        let microseconds = (ContinuousClock.now - start) / .microseconds(1)
        most.withLock { $0 = max($0, microseconds) }
    }
}

extension LongestTurns {
    private static var site: [String: Any] { ["service": ["type": "domain", "value": BenchmarkEnvironment.service]] }
    private static let key = ["base64": Data(BenchmarkEnvironment.key).base64EncodedString()]
    private static var proof: [String: Any] { ["proof": ["type": "key", "key": key]] }
    private static var item: [String: Any] { ["place": ["namespace": "worst", "account": long("item1", 1024)]] }
    private static let codes = "otpauth://totp/x?secret=" + String(repeating: "GEZDGNBV", count: 500)

    private static func long(_ beginning: String, _ count: Int) -> String {
        beginning + String(repeating: "x", count: count - beginning.utf8.count)
    }

    private static func bytes(_ count: Int) -> [String: String] { ["base64": Data(count: count).base64EncodedString()] }

    private static func user(_ number: Int) -> [String: Any] {
        ["user": long("user\(number)", 1024), "password": long("\(number)", 4096)]
    }

    /// As many fields as a form may have, with words of 200 bytes, which is about the size of a line.
    private static func form(_ name: String, rules: String = "minlength: 20; required: lower; required: digit;")
        -> [String: Any]
    {
        var fields: [[String: Any]] = (0..<62).map { number in
            [
                "id": "f\(number)", "label": long("field", 200), "placeholder": long("word", 200),
                "pattern": long("[a-z]", 200),
            ]
        }
        fields.append(["id": "user", "contentType": "username"])
        fields.append(["id": "new", "contentType": "newPassword", "secure": true, "passwordRules": rules])
        return site.merging(["form": ["id": name, "fields": fields] as [String: Any]]) { $1 }
    }

    private static func costlyRules(_ number: Int) -> String {
        let classes = (0..<100).map { "required: [\(Character(UnicodeScalar(UInt8(33 + $0 % 90))))ab]" }
        return "max-consecutive: 2; minlength: 12; maxlength: \(100 + number); " + classes.joined(separator: "; ")
    }

    private static func proven(_ parameters: [String: Any] = [:]) -> [String: Any] { parameters.merging(proof) { $1 } }

    private static var saved: [String: Any] { site.merging(["user": long("user7", 1024)]) { $1 } }

    /// One method, and its parameters for the nth call; for some another call before returns an id.
    fileprivate struct Call {
        let method: String
        var before: String?
        var prepared: (Int) -> [String: Any] = { _ in [:] }
        let parameters: (Int, String) -> [String: Any]

        init(_ method: String, _ parameters: @escaping (Int) -> [String: Any] = { _ in [:] }) {
            self.method = method
            self.parameters = { number, _ in parameters(number) }
        }

        init(
            _ method: String, after before: String, _ prepared: @escaping (Int) -> [String: Any],
            _ parameters: @escaping (String) -> [String: Any]
        ) {
            (self.method, self.before, self.prepared) = (method, before, prepared)
            self.parameters = { _, id in parameters(id) }
        }
    }

    /// All methods that need not wait for a user or for a site.
    fileprivate static var calls: [Call] {
        [
            Call("status"), Call("diagnose") { _ in form("diagnosed") },
            Call("autofill.suggest") { form("suggested\($0)") },
            Call("autofill.suggest") { form("costly\($0)", rules: costlyRules($0)) },
            Call("autofill.fill", after: "autofill.suggest", { form("filled\($0)") }) { ["offer": $0] },
            Call("autofill.accept", after: "autofill.suggest", { form("accepted\($0)") }) {
                ["offer": $0, "user": "ann"]
            },
            Call("autofill.decline", after: "autofill.suggest", { form("declined\($0)") }) { ["offer": $0] },
            Call("autofill.submit") { _ in form("submitted") },
            Call("offer.list") { _ in ["state": "all", "limit": 500] },
            Call("credential.save") { site.merging(user($0)) { $1 } }, Call("credential.get") { _ in saved },
            Call("credential.list") { _ in site.merging(["limit": 500]) { $1 } },
            Call("credential.list") { _ in proven(["limit": 500, "deleted": true]) },
            Call("credential.delete", after: "credential.save", { site.merging(user(900 + $0)) { $1 } }) {
                ["credential": $0]
            },
            Call("code.set") { _ in saved.merging(["uri": codes]) { $1 } }, Call("code.get") { _ in saved },
            Call("code.delete") { _ in saved },
            Call("keychain.set") { item.merging(["data": bytes((32 << 10) - $0)]) { $1 } },
            Call("keychain.get") { _ in item },
            Call("keychain.search") { _ in ["place": ["namespace": "worst"], "limit": 500] },
            Call("keychain.rename") {
                item.merging(["newPlace": ["namespace": "worst", "account": "renamed\($0)"]]) { $1 }
            },
            Call("keychain.delete") { ["place": ["namespace": "worst", "account": long("item\(2 + $0)", 1024)]] },
            Call("signIn.start") {
                ["name": "ann", "place": ["account": "a\($0)@example.com"], "password": long("pw", 4096)]
            },
            Call("signIn.status"), Call("signIn.end"),
            Call("verifier.set") {
                ["place": ["namespace": "worst", "account": "a\($0)"], "password": long("pw", 4096)]
            },
            Call("verifier.check") {
                ["place": ["namespace": "worst", "account": "a\($0)"], "password": long("pw", 4096)]
            },
            Call("verifier.delete") { ["place": ["namespace": "worst", "account": "a\($0)"]] },
            Call("admin.setting.get") { _ in ["setting": "autoFill"] },
            Call("admin.release.list") { _ in proven(["limit": 500]) },
            Call("admin.grant.allow") {
                proven([
                    "bundleID": BenchmarkEnvironment.app,
                    "service": ["type": "domain", "value": "g\($0).\(BenchmarkEnvironment.service)"],
                ])
            },
            Call("admin.grant.list") { _ in proven(["limit": 500]) }, Call("admin.domain.list") { _ in proven() },
            Call("admin.domain.approve") {
                proven(["bundleID": BenchmarkEnvironment.app, "domain": "d\($0).\(BenchmarkEnvironment.service)"])
            },
            Call("admin.setting.list") { _ in proven() }, Call("admin.slot.list") { _ in proven() },
            Call("admin.backup.list") { _ in proven() }, Call("admin.vault.check") { _ in proven() },
            Call("admin.vault.backup") { _ in proven() }, Call("admin.vault.rekey") { _ in proven() },
            Call("admin.vault.lock"), Call("vault.unlock") { _ in proof }, Call("event.subscribe"),
        ]
    }
}
