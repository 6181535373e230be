// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

extension SecretBridge {
    /// Answers a call. The error that it throws is the answer.
    func answer(_ message: BusMessage, of caller: Caller) async throws(BusError) {
        let text = message.path ?? ""
        if text.hasPrefix(PortalRequest.desktop) { return try await answerPortal(message, of: caller) }
        guard let path = SecretPath(text) else {
            throw message.interface(default: "") == Interface.properties ? .unknownObject(text) : .noSuchObject(text)
        }
        let call = Call(message: message, caller: caller, path: path, bus: objects.environment.bus)
        switch (message.interface(default: path.interface), path) {
        case (Interface.introspectable, _): try introspect(call)
        case (Interface.properties, _): try await PropertiesInterface(call: call, objects: objects).answer()
        case (Interface.service, .service): try await ServiceInterface(call: call, objects: objects).answer()
        case (Interface.collection, .collection), (Interface.collection, .alias):
            try await CollectionInterface(call: call, objects: objects).answer()
        case (Interface.item, .item), (Interface.item, .aliasItem):
            try await ItemInterface(call: call, objects: objects).answer()
        case (Interface.session, .session(let number)):
            try SessionInterface(call: call, objects: objects).answer(number)
        case (Interface.prompt, .prompt(let number)): try answerPrompt(call, number)
        case (let interface, _): throw .unknownInterface(interface)
        }
    }

    private func introspect(_ call: Call) throws(BusError) {
        guard call.member == "Introspect" else { throw call.unknownMethod }
        let text = Introspection.text(of: call.path)
        try call.reply { message throws(BusError) in try message.append(text) }
    }
}
