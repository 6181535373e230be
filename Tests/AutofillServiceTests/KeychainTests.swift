// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Foundation
import Support
import Testing

@Suite("Keychain items")
struct KeychainTests {
    private func connect(
        _ daemon: TestService, _ app: String = "org.example.Shop", inode: UInt64 = 7
    ) throws -> ServiceConnection {
        let connection = daemon.connect(.process(path: "/home/user/app\(inode)", inode: inode))
        try connection.hello(app)
        return connection
    }

    private func item(_ account: String, _ more: [String: Any] = [:]) -> [String: Any] {
        ["place": ["service": "tokens", "account": account]].merging(more) { $1 }
    }

    private func account(_ item: [String: Any]?) -> String? { (item?["place"] as? [String: String])?["account"] }

    private func data(_ bytes: [UInt8]) -> [String: Any] { ["data": ["base64": Data(bytes).base64EncodedString()]] }

    @Test("Any bytes are kept and read back in another connection of the same program, renamed and deleted")
    func roundTrip() throws {
        let daemon = try TestService()
        let bytes = [UInt8](0...255) + [0]
        let shop = try connect(daemon)
        let saved = try shop.call("keychain.set", item("änn", data(bytes)))
        let again = try connect(daemon)
        let read = try again.call("keychain.get", item("a\u{308}nn"))
        #expect((read.result?["data"] as? [String: String])?["base64"] == Data(bytes).base64EncodedString())
        #expect(account(read.result) == "änn" && read.text("item") == saved.text("item"))
        #expect(try again.call("keychain.set", item("änn", data([]))).result?["changed"] as? Bool == true)
        #expect(try again.call("keychain.set", item("bob", data([1]))).error == nil)
        #expect(
            try again.call("keychain.rename", item("änn", ["newPlace": ["service": "tokens", "account": "bob"]]))
                .reasons == ["item-exists"])
        let renamed = try again.call(
            "keychain.rename", item("änn", ["newPlace": ["service": "tokens", "account": "cat"]]))
        #expect(renamed.text("item") == saved.text("item"))
        #expect(try again.call("keychain.get", item("änn")).reasons == ["item-not-found"])
        let listed =
            try again.call("keychain.list", ["place": ["service": "tokens"]]).result?["items"] as? [[String: Any]]
        #expect(Set(listed?.compactMap { account($0) } ?? []) == ["bob", "cat"])
        #expect(try again.call("keychain.delete", item("cat")).result?["changed"] as? Bool == true)
        #expect(try again.call("keychain.delete", item("cat")).result?["changed"] as? Bool == false)
    }

    @Test("Another program of the same app gets, changes and lists nothing of it without the person's word")
    func otherProgram() throws {
        let daemon = try TestService()
        try connect(daemon).call("keychain.set", item("ann", data([1])))
        let other = try connect(daemon, inode: 8)
        #expect(try other.call("keychain.get", item("ann")).reasons == ["grant-missing"])
        #expect(
            try other.call("keychain.get", item("ann", ["interaction": "forbid"])).reasons == ["interaction-required"])
        #expect(try other.call("keychain.set", item("ann", data([2]))).reasons == ["grant-missing"])
        #expect(
            try other.call("keychain.rename", item("ann", ["newPlace": ["service": "tokens", "account": "b"]])).reasons
                == ["grant-missing"])
        #expect(try other.call("keychain.delete", item("ann")).reasons == ["grant-missing"])
        #expect(try other.call("keychain.list", ["place": ["service": "tokens"]]).reasons == ["grant-missing"])
        #expect(try other.call("keychain.set", item("bob", data([2]))).error == nil)
        #expect(try other.call("keychain.get", item("bob")).error == nil)
    }

    @Test("The person's yes is remembered for the program and the service, by prompt or by command")
    func granted() throws {
        let daemon = try TestService()
        let program = daemon.connect(.systemProgram)
        try program.hello()
        try connect(daemon).call("keychain.set", item("ann", data([1])))
        #expect(try program.call("keychain.get", item("ann")).reasons == ["grant-missing"])
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let place = ["type": "keychain", "value": "org.example.Shop/tokens"]
        let allow: [String: Any] = ["bundleID": "org.example.Shop", "service": place, "proof": Examples.proof]
        #expect(try person.call("admin.grant.allow", allow).error == nil)
        #expect(try program.call("keychain.get", item("ann")).error == nil)
        let other = ["type": "keychain", "value": "org.example.Bank/tokens"]
        #expect(
            try person.call("admin.grant.allow", allow.merging(["service": other]) { $1 }).reasons
                == ["access-group-not-entitled"])
    }

    @Test("A group that the registration does not name is out of reach, whatever is in it")
    func groups() throws {
        let daemon = try TestService()
        try connect(daemon, "org.example.Bank").call("keychain.set", item("ann", data([1])))
        let shop = try connect(daemon)
        for method in ["keychain.get", "keychain.delete", "keychain.set", "keychain.rename"] {
            let parameters = item(
                "ann", ["accessGroup": "org.example.Bank", "newPlace": ["service": "tokens", "account": "b"]]
            ).merging(data([])) {
                $1
            }
            #expect(try shop.call(method, parameters).reasons == ["access-group-not-entitled"], "\(method)")
        }
        #expect(try shop.call("keychain.get", item("ann")).reasons == ["item-not-found"])
        let nobody = try connect(daemon, "org.example.Nobody")
        #expect(try nobody.call("keychain.set", item("ann", data([1]))).reasons == ["app-not-registered"])
    }

    @Test("With proof every group is reached, and all items are listed page by page; a release is on record")
    func proven() throws {
        let daemon = try TestService()
        let shop = try connect(daemon)
        for account in ["a", "b", "c"] { try shop.call("keychain.set", item(account, data([1]))) }
        let person = try connect(daemon, "org.autofilld.autofillctl")
        let proof: [String: Any] = ["proof": Examples.proof]
        #expect(try person.call("keychain.get", item("a", proof)).problem == "parameter-invalid")
        let group = proof.merging(["accessGroup": "org.example.Shop"]) { $1 }
        #expect(try person.call("keychain.get", item("a", group)).error == nil)
        #expect(daemon.journal.contains { $0.method == "keychain.get" && $0.message.contains("with proof") })
        var accounts: [String] = []
        var cursor: Any?
        repeat {
            var parameters = proof.merging(["limit": 2]) { $1 }
            parameters["cursor"] = cursor
            let page = try person.call("keychain.list", parameters)
            accounts += (page.result?["items"] as? [[String: Any]] ?? []).compactMap { account($0) }
            cursor = page.text("next")
        } while cursor != nil
        #expect(accounts.sorted() == ["a", "b", "c"])
    }

    @Test("A page of a service ends where the next one begins")
    func pages() throws {
        let shop = try connect(try TestService())
        for number in 0..<5 { try shop.call("keychain.set", item("\(number)", data([1]))) }
        var accounts: [String] = []
        var cursor: Any?
        repeat {
            var parameters: [String: Any] = ["place": ["service": "tokens"], "limit": 2]
            parameters["cursor"] = cursor
            let page = try shop.call("keychain.list", parameters)
            accounts += (page.result?["items"] as? [[String: Any]] ?? []).compactMap { account($0) }
            cursor = page.text("next")
        } while cursor != nil
        #expect(accounts.sorted() == ["0", "1", "2", "3", "4"])
    }
}
