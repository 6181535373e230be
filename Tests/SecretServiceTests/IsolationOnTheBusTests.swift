// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Systemd
import TestGround
import Testing

@testable import SecretService

@Suite(
    "Each program has its own secrets on the bus", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct IsolationOnTheBusTests {
    private static let store = ["store", "--label=Private label", "service", "mail", "user", "ann"]

    @Test(
        "Another program's item is found by the searched attributes, locked; nothing else of it is returned, and a refusal is permanent"
    )
    func withheld() throws {
        let stage = try SecretStage(consent: "deny")
        #expect(try stage.run(program: "one", Self.store, input: "s3cr3t").status == 0)
        let client = try BusClient(stage)
        let found = try client.search(["service": "mail"])
        #expect(found.unlocked == [] && found.locked.count == 1)
        #expect(try client.search([:]) == ([], []))
        let path = try #require(found.locked.first)
        let items = try client.property(
            "Items", of: "/org/freedesktop/secrets/collection/login", "Secret.Collection", "ao"
        ) { message throws(BusError) in try message.readStrings(type: "o", limit: 10) }
        #expect(items == [])
        let attributes = try client.property("Attributes", of: path, "Secret.Item", "a{ss}") {
            message throws(BusError) in try message.readAttributes()
        }
        #expect(attributes == ["service": "mail"], "what was asked for")
        let label = try client.property("Label", of: path, "Secret.Item", "s") { message throws(BusError) in
            try message.readString()
        }
        #expect(label == "")
        let session = try client.session()
        let secret = try client.call(path, "Secret.Item", "GetSecret") { message throws(BusError) in
            try message.append(session, type: "o")
        }
        guard case .failure(let error) = secret else { return #expect(Bool(false), "it was given out") }
        #expect(error.name == "org.freedesktop.Secret.Error.IsLocked" && !error.text.contains("rivate"))
        let other = try stage.run(program: "two", ["lookup", "service", "mail"])
        #expect(other.status == 1 && other.output == "", "\(other.output)")
        // Nothing of it was lost by that.
        #expect(try stage.run(program: "one", ["lookup", "service", "mail"]).output == "s3cr3t")
    }

    @Test("With the user's consent it is unlocked by the prompt of Unlock, for that program, and read")
    func allowed() throws {
        let stage = try SecretStage(consent: "* * once\n* * deny\n")
        _ = try stage.run(program: "one", Self.store, input: "s3cr3t")
        let found = try stage.run(program: "two", ["lookup", "service", "mail"])
        #expect(found.output == "s3cr3t", "\(found.output)\(stage.daemon.log())")
        #expect(try stage.run(program: "two", ["lookup", "service", "mail"]).output == "", "it was for once")
    }

    @Test("A script that was allowed another's item is asked nothing more for it: it is not its own data")
    func allowedScript() throws {
        let stage = try SecretStage(consent: "* * once\n* * deny\n")
        _ = try stage.run(program: "one", Self.store, input: "s3cr3t")
        let found = try stage.run(script: "two.sh", "secret-tool lookup service mail")
        #expect(found.output == "s3cr3t", "\(found.output)\(stage.daemon.log())")
    }

    @Test("Signals are sent only to the program whose items they are about")
    func signals() throws {
        let stage = try SecretStage()
        let (one, other) = (try BusClient(stage), try BusClient(stage))
        let session = try one.session()
        _ = try other.session()
        let path = try one.make(["a": "1"], session: session)
        try other.wait { other.signals.contains { $0.member == "ItemCreated" } }
        let created = try #require(other.signals.first { $0.member == "ItemCreated" })
        #expect(try created.readString(type: "o") == path)
        #expect(created.path == "/org/freedesktop/secrets/collection/login" && created.destination != nil)
        // Another program makes one, and only that program receives the signal.
        let (before, after) = (one.signals.count, other.signals.count)
        _ = try stage.run(script: "two.sh", "printf x | secret-tool store --label=L service mail")
        let deleted = try one.call(path, "Secret.Item", "Delete").get()
        #expect(try deleted.readString(type: "o") == "/")
        try one.wait { one.signals.count > before }
        try other.wait { other.signals.count > after }
        #expect(one.signals[before...].map(\.member) == ["ItemDeleted"])
        #expect(other.signals[after...].map(\.member) == ["ItemDeleted"])
    }

    @Test("A new item is signalled as created, and a replaced one as changed")
    func made() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let session = try client.session()
        let item = try client.make(["a": "1"], session: session)
        #expect(try client.create(["a": "1"], session: session, replaces: true).item == item)
        let other = try client.create(["a": "2"], session: session, replaces: true).item
        func members() -> [String?] { client.signals.map(\.member).filter { $0?.hasPrefix("Item") == true } }
        try client.wait { members().count == 3 }
        #expect(members() == ["ItemCreated", "ItemChanged", "ItemCreated"] && other != item)
    }

    @Test(
        "Collections belong to their creator: another program can neither see nor access them, and may have one of the same name"
    )
    func collections() throws {
        let stage = try SecretStage()
        let create = """
            busctl --user call org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service CreateCollection \
            'a{sv}s' 1 org.freedesktop.Secret.Collection.Label s 'My work' ''
            """
        let list = """
            busctl --user get-property org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service Collections
            """
        let path = "/org/freedesktop/secrets/collection/My_5fwork"
        let label = "busctl --user get-property org.freedesktop.secrets \(path) org.freedesktop.Secret.Collection Label"
        #expect(try stage.run(script: "one.sh", create).output == #"oo "\#(path)" "/""# + "\n")
        #expect(try stage.run(script: "one.sh", list).output.contains(path))
        #expect(try stage.run(script: "one.sh", label).output == "s \"My work\"\n")
        #expect(try !stage.run(script: "two.sh", list).output.contains(path))
        #expect(try stage.run(script: "two.sh", label).output.contains("no object"))
        #expect(try stage.run(script: "two.sh", create).output == #"oo "\#(path)" "/""# + "\n", "there is no prompt")
    }
}
