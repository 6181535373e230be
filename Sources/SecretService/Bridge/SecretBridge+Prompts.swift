// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// `org.freedesktop.Secret.Prompt`: a prompt that is displayed when the caller requests it, without a time limit.
extension SecretBridge {
    func answerPrompt(_ call: Call, _ number: UInt64) throws(BusError) {
        guard let prompt = call.caller.prompts[number] else { throw .noSuchObject(call.path.text) }
        switch call.member {
        case "Prompt":
            try call.expect("s")
            let window = Self.window(try call.message.readString())
            guard prompt.task == nil else { throw .failed("The prompt is displayed already") }
            try call.reply()
            prompt.task = Task { await self.ask(prompt, number, window: window, call.caller) }
        case "Dismiss":
            try call.expect("")
            try call.reply()
            if let task = prompt.task { return task.cancel() }
            call.caller.prompts[number] = nil
            complete(number, nil, prompt, call.caller)
        default: throw call.unknownMethod
        }
    }

    /// The window as the daemon expects it; libraries write X11's in decimal digits.
    private static func window(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= Limits.parentWindowBytes else { return nil }
        return UInt64(text).map { "x11:0x" + String($0, radix: 16) } ?? text
    }

    /// The result of a prompt.
    fileprivate enum Outcome {
        case paths([String])
        case path(String)
        case nothing
    }

    private func ask(_ prompt: PendingPrompt, _ number: UInt64, window: String?, _ caller: Caller) async {
        var outcome: Outcome?
        do throws(BusError) {
            outcome = try await perform(prompt.action, window: window, caller)
        } catch {
            // The user refused or did not answer: the daemon's journal records it.
        }
        guard caller.prompts.removeValue(forKey: number) != nil else { return }
        complete(number, outcome, prompt, caller)
    }

    private func perform(
        _ action: PendingPrompt.Action, window: String?, _ caller: Caller
    ) async throws(BusError) -> Outcome? {
        switch action {
        case .unlock(let paths):
            return try await objects.unlock(paths, window: window, caller).map { .paths($0.map(\.text)) }
        case .make(let new):
            guard case .item(let id, let isNew) = try await caller.keychain.make(new, mayAsk: true) else { return nil }
            objects.names.note(id, in: new.collection, label: new.label)
            return .path(objects.signalItem(id, in: new.collection, isNew: isNew, caller))
        case .delete(let ids, let collection):
            for id in ids {
                guard try await caller.keychain.delete(id, mayAsk: true) else { return nil }
                objects.signalDeletion(of: id, in: collection, caller)
            }
            return .nothing
        }
    }

    /// - Parameter outcome: nil if it was dismissed.
    private func complete(_ number: UInt64, _ outcome: Outcome?, _ prompt: PendingPrompt, _ caller: Caller) {
        let path = SecretPath.prompt(number).text
        try? environment.bus.signal(to: caller.name, path, Interface.prompt, "Completed") {
            message throws(BusError) in
            try message.append(outcome == nil)
            switch outcome ?? prompt.action.nothing {
            case .paths(let paths):
                try message.write("v", of: "ao") { () throws(BusError) in try message.append(paths, type: "o") }
            case .path(let path):
                try message.write("v", of: "o") { () throws(BusError) in try message.append(path, type: "o") }
            case .nothing:
                try message.write("v", of: "s") { () throws(BusError) in try message.append("") }
            }
        }
    }
}

extension PendingPrompt.Action {
    /// The result of a dismissed prompt, which has the type of the action's result.
    fileprivate var nothing: SecretBridge.Outcome {
        switch self {
        case .unlock: .paths([])
        case .make: .path(SecretPath.none)
        case .delete: .nothing
        }
    }
}
