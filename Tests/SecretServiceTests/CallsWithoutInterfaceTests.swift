// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Support
import Systemd
import TestGround
import Testing

@testable import SecretService

@Suite(
    "Calls that name no interface", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.need)"))
struct CallsWithoutInterfaceTests {
    private func failure(_ result: Result<BusMessage, BusError>) -> String? {
        if case .failure(let error) = result { error.name } else { nil }
    }

    @Test("They are answered by the object's one interface that has the method; one that none has is refused")
    func objects() throws {
        let stage = try SecretStage()
        let client = try BusClient(stage)
        let session = try client.session()
        let item = try client.make(["a": "1"], session: session)
        let found = try client.call(SecretServiceNames.root, nil, "SearchItems") { message throws(BusError) in
            try message.append(["a": "1"])
        }.get()
        #expect(try found.readStrings(type: "o", limit: .max) == [item])
        let inCollection = try client.call(SecretPath.collection(token: "login").text, nil, "SearchItems") {
            message throws(BusError) in
            try message.append(["a": "1"])
        }.get()
        #expect(try inCollection.readStrings(type: "o", limit: .max) == [item])
        let label = try client.call(item, nil, "Get") { message throws(BusError) in
            try message.append(Interface.item)
            try message.append("Label")
        }
        #expect(failure(label) == nil)
        for path in [SecretServiceNames.root, item, session, PortalRequest.desktop] {
            let text = try client.call(path, nil, "Introspect").get().readString()
            #expect(text.contains("<interface name="), "\(path)")
            #expect(failure(try client.call(path, nil, "Nothing")) == "org.freedesktop.DBus.Error.UnknownMethod")
        }
        #expect(failure(try client.call(item, nil, "Delete")) == nil)
        #expect(failure(try client.call(session, nil, "Close")) == nil)
        #expect(failure(try client.call(session, "Secret.Session", "Close")) == BusError.noSession.name)
    }
}
