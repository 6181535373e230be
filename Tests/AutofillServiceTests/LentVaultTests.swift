// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Foundation
import Support
import Testing

@Suite("While the vault is lent for work")
struct LentVaultTests {
    private let broker: TestBroker
    private let worker: BrokerConnection
    private let app: BrokerConnection

    init() throws {
        broker = try TestBroker()
        worker = broker.connect()
        try worker.hello("org.autofilld.autofillctl")
        app = broker.connect()
        try app.hello()
    }

    private static let check = #"""
        {"jsonrpc":"2.0","id":7,"method":"vault.check","params":{"proof":{"key":{"base64":"\#(TestFiles.key.base64EncodedString())"}}}}
        """#

    private static let save = #"""
        {"jsonrpc":"2.0","id":8,"method":"credential.save","params":{"service":{"type":"domain","value":"shop.example.com"},"user":"ann","password":"secret"}}
        """#

    @Test("What needs the vault waits until it is back, and is then done; all else goes on")
    func waiting() throws {
        let work = try #require(try broker.begin(Self.check, worker))
        #expect(try app.exchange(Self.save) == [])
        let status = try app.call("status")
        #expect(status.text("vault") == "unlocked")
        #expect((status.result?["work"] as? [String: Any])?["method"] as? String == "vault.check")
        let done = try TestAnswer(try #require(try broker.finish(work, worker).first))
        #expect(done.result?["sound"] as? Bool == true)
        let saved = try TestAnswer(try #require(app.received().first))
        #expect(saved.result?["changed"] as? Bool == true)
        #expect(try app.call("status").result?["work"] == nil)
    }

    @Test("A lock stops the work, which changes nothing, and is answered when the keys are gone")
    func lock() throws {
        _ = try TestAnswer(try #require(try app.exchange(Self.save).first))
        let work = try #require(try broker.begin(Self.check, worker))
        #expect(try app.exchange(#"{"jsonrpc":"2.0","id":9,"method":"vault.lock"}"#) == [])
        let stopped = try TestAnswer(try #require(try broker.finish(work, worker).first))
        #expect(stopped.reasons == ["cancelled"])
        let locked = try TestAnswer(try #require(app.received().first))
        #expect(locked.result?["changed"] as? Bool == true)
        #expect(try app.call("status").text("vault") == "locked")
    }

    @Test("The vault comes back also when the connection that asked is gone, or took its request back")
    func gone() throws {
        let first = try #require(try broker.begin(Self.check, worker))
        #expect(try worker.exchange(#"{"jsonrpc":"2.0","method":"request.cancel","params":{"id":7}}"#).count == 1)
        #expect(try broker.finish(first, worker) == [])
        let second = try #require(try broker.begin(Self.check, worker))
        #expect(try app.exchange(Self.save) == [])
        broker.broker.disconnect(worker.client)
        #expect(try broker.finish(second, worker) == [])
        #expect(try TestAnswer(try #require(app.received().first)).error == nil)
    }
}
