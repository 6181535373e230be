// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

/// attacks.md, one sandboxed app, 4. `Tests/bench --only worst-app` measures the time that this costs others.
@Suite("A flood of costly rules", .blocking)
struct RulesFloodTests {
    /// Rules of their own for each number, whose tables would use 10 to 30 MiB.
    private static func fields(_ number: Int) -> [[String: Any]] {
        let required = "abcdefghij".prefix(8 + number % 3).map { "required: [\($0)]; " }.joined()
        let runs = "max-consecutive: \(2 - number % 2); "
        let rules = required + runs + "allowed: ascii-printable; minlength: \(20 + number); maxlength: \(20 + number)"
        return [
            ["id": "user", "contentType": "username"],
            ["id": "new", "contentType": "newPassword", "secure": true, "passwordRules": rules],
        ]
    }

    @Test("The daemon stays small while one program's costly rules are counted, and afterwards")
    func memory() throws {
        let daemon = try DaemonProcess()
        let connections = try (0..<2).map { _ in
            let connection = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
            try connection.hello()
            return connection
        }
        let observer = try SocketConnection(to: daemon.socket, timeoutSeconds: 120)
        try observer.hello()
        _ = try connections[0].call(
            "autofill.suggest", ["service": Examples.shop, "form": ["fields": Examples.signUp]])
        let before = daemon.residentKibibytes
        var most = before
        for round in 0..<4 {
            for (index, connection) in connections.enumerated() {
                let fields = Self.fields(2 * round + index)
                let call: [String: Any] = ["service": Examples.shop, "form": ["fields": fields]]
                let request: [String: Any] = ["jsonrpc": "2.0", "id": 9, "method": "autofill.suggest", "params": call]
                try connection.send(Array(try JSONSerialization.data(withJSONObject: request)) + [0x0A])
            }
            // Until both are answered: the smallest requests are answered meanwhile.
            var waiting = connections[...]
            while let connection = waiting.first {
                #expect(try observer.call("status").result != nil)
                most = max(most, daemon.residentKibibytes)
                var poll = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
                guard Glibc.poll(&poll, 1, 20) > 0 else { continue }
                let answer = try TestAnswer(try connection.line())
                #expect(answer.error == nil || answer.reasons == ["too-many-requests"])
                waiting.removeFirst()
            }
        }
        #expect(most < before + 16 << 10, "\((most - before) >> 10) MiB more")
    }
}
