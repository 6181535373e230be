// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

/// The daemon is killed at every step of a sign-up, once after the step's answer and once before it.
@Suite("A sign-up and kill -9", .serialized, .blocking)
struct SignUpCrashTests {
    /// The steps of an app, in order.
    private enum Step: String, CaseIterable {
        case hello, suggest, focus, fill, accept, decline, submit, confirm
    }

    /// The app's side of one sign-up, and what it received.
    private final class App {
        private(set) var offer: String?
        /// The generated password, once an answer contained it.
        private(set) var password: String?
        private var submission: String?
        private let connection: SocketConnection

        init(_ socket: String) throws { connection = try SocketConnection(to: socket) }

        private func form(_ fields: [[String: Any]] = Examples.signUp, _ more: [String: Any] = [:]) -> [String: Any] {
            let form: [String: Any] = ["id": "f1", "fields": fields]
            return ["service": Examples.shop, "form": form.merging(more) { $1 }]
        }

        private func request(_ step: Step) -> (method: String, parameters: [String: Any]) {
            let id = offer ?? ""
            switch step {
            case .hello: return ("hello", ["bundleID": "org.example.Shop", "protocol": ["min": 1, "max": 1]])
            case .suggest: return ("autofill.suggest", form())
            case .focus: return ("autofill.suggest", form(Examples.signUp, ["focus": "new"]))
            case .fill: return ("autofill.fill", ["offer": id])
            case .accept: return ("autofill.accept", ["offer": id, "user": "ann@example.com"])
            case .decline: return ("autofill.decline", ["offer": id])
            case .confirm: return ("autofill.confirm", ["submission": submission ?? ""])
            case .submit:
                var fields = Examples.signUp
                fields[0]["value"] = "ann@example.com"
                fields[1]["value"] = password ?? ""
                fields[2]["value"] = password ?? ""
                return ("autofill.submit", form(fields))
            }
        }

        func perform(_ step: Step) throws {
            let (method, parameters) = request(step)
            let answer = try connection.call(method, parameters)
            #expect(answer.result != nil, "\(step): \(answer.reasons)")
            submission = submission ?? answer.text("submission")
            offer = offer ?? answer.suggestion("strongPassword")?["offer"] as? String
            password = password ?? answer.text("password")
        }

        /// Sends the step's request and waits for nothing.
        func begin(_ step: Step) throws {
            let (method, parameters) = request(step)
            let line: [String: Any] = ["jsonrpc": "2.0", "id": "last", "method": method, "params": parameters]
            let text = try JSONSerialization.data(withJSONObject: line, options: [.withoutEscapingSlashes])
            try connection.send(String(decoding: text, as: UTF8.self))
        }

        /// The answer before the end, if any: an app that received it may have shown the password.
        func readToTheEnd() throws {
            do {
                let answer = try TestAnswer(try connection.line())
                offer = offer ?? answer.suggestion("strongPassword")?["offer"] as? String
                password = password ?? answer.text("password")
            } catch is SocketConnection.Failure {
                return
            }
        }
    }

    @Test("Every generated password that an app received can be found, and the sign-up can be finished")
    func everyStep() throws {
        let daemon = try DaemonProcess(isEphemeral: false)
        let first = try SocketConnection(to: daemon.socket)
        try first.hello()
        try first.call("admin.vault.create", Examples.newSecret)
        first.close()
        for last in Step.allCases {
            for isOnItsWay in [false, true] {
                let app = try App(daemon.socket)
                for step in steps(to: last) { try app.perform(step) }
                if isOnItsWay { try app.begin(last) } else { try app.perform(last) }
                daemon.kill9()
                if isOnItsWay { try app.readToTheEnd() }
                try daemon.start()
                try check(daemon, app, "\(last), on its way: \(isOnItsWay)")
            }
        }
    }

    /// The steps before the last one: a sign-up has only one of the steps that end it, and what is confirmed was submitted.
    private func steps(to last: Step) -> [Step] {
        Step.allCases.prefix { $0 != last }.filter {
            ![.accept, .decline].contains($0) && ($0 != .submit || last == .confirm)
        }
    }

    /// Finds every password and finishes pending sign-ups before the next round.
    private func check(_ daemon: DaemonProcess, _ app: App, _ moment: String) throws {
        let user = try SocketConnection(to: daemon.socket)
        #expect(try user.hello("org.autofilld.autofillctl").text("vault") == "unlocked", "\(moment)")
        let list = try user.call("offer.list", ["state": "all", "limit": 500, "proof": Examples.proof])
        let offers = try #require(list.result?["offers"] as? [[String: Any]], "\(moment)")
        let ids = Set(offers.compactMap { $0["offer"] as? String })
        if let offer = app.offer { #expect(ids.contains(offer), "\(moment)") }
        if let offer = app.offer, let password = app.password {
            let found = try user.call("autofill.fill", ["offer": offer, "proof": Examples.proof])
            #expect(found.text("password") == password, "\(moment)")
        }
        for offer in offers where offer["state"] as? String != "accepted" {
            let id = try #require(offer["offer"] as? String)
            let finished = try user.call(
                "autofill.accept", ["offer": id, "user": id, "proof": Examples.proof])
            #expect(finished.result?["changed"] as? Bool == true, "\(moment)")
            let filled = try user.call("autofill.fill", ["offer": id, "proof": Examples.proof])
            let saved = try user.call(
                "credential.get", ["service": Examples.shop, "user": id, "proof": Examples.proof])
            #expect(saved.text("password") == filled.text("password"), "\(moment)")
        }
    }
}
