// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("A daemon for tests that answers for the user", .serialized, .blocking)
struct ConsentOptionTests {
    @Test("--consent allow answers yes, and enters no passphrase: a locked vault stays locked")
    func locked() throws {
        let daemon = try DaemonProcess(arguments: ["--consent", "allow"])
        let app = try SocketConnection(to: daemon.socket)
        try app.hello()
        let save: [String: Any] = ["service": Examples.shop, "user": "ann", "password": "s3cret"]
        #expect(try app.call("credential.save", save).result != nil)
        let user = try SocketConnection(to: daemon.socket)
        try user.hello("org.autofilld.autofillctl")
        #expect(try user.call("admin.vault.lock").result != nil)
        for interaction in ["allow", "forbid"] {
            let get: [String: Any] = ["service": Examples.shop, "interaction": interaction]
            #expect(try app.call("credential.get", get).reasons == ["vault-locked"])
        }
    }
}
