// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// A sequence of requests of two apps and the user against a vault in memory, each chosen by two bytes. No app sees
/// another's data, and a pending offer is never lost.
final class ServiceTarget {
    private struct Offer {
        let app: Int
        let form: String
        var password: String?
        var user: String?
        var isSettled = false
    }

    private static let apps = [("org.example.Shop", "shop.example.com"), ("org.example.Bank", "bank.example.com")]
    private let owner: TestService
    private var connections: [ServiceConnection] = []
    private let administrator: ServiceConnection
    private var offers: [String: Offer] = [:]
    /// Every password that was made by or for an app.
    private var passwords: [Set<String>] = [[], []]
    private var isLocked = false

    static func run(_ input: [UInt8]) throws {
        let target = try ServiceTarget()
        for start in stride(from: 0, to: min(input.count, 128) - 1, by: 2) {
            try target.perform(input[start] % 10, Int(input[start + 1]))
        }
        try target.end()
    }

    private init() throws {
        owner = try TestService()
        administrator = owner.connect(.process(path: "/usr/bin/autofillctl", inode: 90))
        try administrator.hello("org.autofilld.autofillctl")
        for app in 0...1 { connections.append(try Self.connect(owner, app)) }
    }

    private static func connect(_ owner: TestService, _ app: Int) throws -> ServiceConnection {
        let connection = owner.connect(.process(path: "/home/user/app\(app)", inode: UInt64(7 + app)))
        try connection.hello(apps[app].0)
        return connection
    }

    private func service(_ app: Int) -> [String: Any] { ["type": "domain", "value": Self.apps[app].1] }

    /// Calls as an app; no answer holds what another app made.
    private func call(_ app: Int, _ method: String, _ parameters: [String: Any]) throws -> TestAnswer {
        let answer = try connections[app].call(method, parameters)
        let text = "\(answer.result ?? [:])\(answer.error ?? [:])"
        for password in passwords[1 - app] { try require(!text.contains(password), "\(method): \(password) left") }
        return answer
    }

    private func perform(_ operation: UInt8, _ choice: Int) throws {
        let app = choice & 1
        let offer = offers.keys.sorted().dropFirst(choice % max(1, offers.count)).first ?? "off_none"
        switch operation {
        case 0, 1: try suggest(app, form: "form\(choice / 2 % 4)")
        case 2:
            guard let password = try call(app, "autofill.fill", ["offer": offer]).text("password") else { return }
            try require(offers[offer]?.app == app, "\(app) filled the offer of another")
            try require(offers[offer]?.password ?? password == password, "an offer has changed its password")
            offers[offer]?.password = password
            passwords[app].insert(password)
        case 3:
            let user = "user\(choice / 2 % 3)"
            guard try call(app, "autofill.accept", ["offer": offer, "user": user]).result != nil else { return }
            try require(offers[offer]?.app == app, "\(app) accepted the offer of another")
            offers[offer]?.isSettled = true
            offers[offer]?.user = user
        case 4:
            guard try call(app, "autofill.decline", ["offer": offer]).result != nil else { return }
            try require(offers[offer]?.app == app, "\(app) declined the offer of another")
            offers[offer]?.isSettled = true
        case 5:
            let password = "saved-by-\(app)-\(choice)"
            let saved = try call(
                app, "credential.save",
                ["service": service(app), "user": "user\(choice / 2 % 3)", "password": password])
            if saved.result != nil { passwords[app].insert(password) }
        case 6:
            _ = try call(app, "credential.get", ["service": service(choice / 2 & 1), "user": "user\(choice / 4 % 3)"])
        case 7: _ = try call(app, "credential.list", ["service": service(choice / 2 & 1)])
        case 8: try lockOrUnlock()
        default: connections[app] = try Self.connect(owner, app)
        }
    }

    private func suggest(_ app: Int, form: String) throws {
        let answer = try call(
            app, "autofill.suggest",
            ["service": service(app), "form": ["id": form, "fields": Examples.signUp] as [String: Any]])
        guard let offer = answer.suggestion("strongPassword")?["offer"] as? String else { return }
        if let pending = offers.first(where: { $0.value.app == app && $0.value.form == form && !$0.value.isSettled }) {
            try require(pending.key == offer, "the pending offer \(pending.key) was lost")
        }
        try require(offers[offer].map { $0.app == app } ?? true, "one offer for two apps")
        if offers[offer] == nil { offers[offer] = Offer(app: app, form: form) }
    }

    private func lockOrUnlock() throws {
        let proof = ["proof": Examples.proof]
        if isLocked {
            try require(try administrator.call("vault.unlock", proof).result != nil, "the vault does not open again")
        } else {
            _ = try administrator.call("admin.vault.lock")
        }
        isLocked.toggle()
    }

    /// All pending offers are still there, and what was filled is still what it was.
    private func end() throws {
        if isLocked { try lockOrUnlock() }
        for offer in offers.values where !offer.isSettled { try suggest(offer.app, form: offer.form) }
        for (id, offer) in offers where !offer.isSettled {
            let filled = try call(offer.app, "autofill.fill", ["offer": id]).text("password")
            try require(filled != nil, "the pending offer \(id) was lost")
            if let password = offer.password { try require(filled == password, "offer \(id) has another password") }
        }
    }
}
