// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Systemd

/// `org.freedesktop.Secret.Prompt`: a question that the caller has asked when it is ready for it, with no end of waiting.
extension SecretBridge {
    /// A new prompt's path. Of those that were never asked the oldest gives way.
    func prompt(_ action: PendingPrompt.Action, for caller: Caller) throws(BusError) -> String {
        if caller.prompts.count >= BridgeLimits.promptsPerCaller {
            guard let oldest = caller.prompts.filter({ $0.value.task == nil }).keys.min() else {
                throw .tooMany("At most \(BridgeLimits.promptsPerCaller) prompts of one connection")
            }
            caller.prompts[oldest] = nil
        }
        let number = nextNumber()
        caller.prompts[number] = PendingPrompt(action)
        return SecretPath.prompt(number).text
    }

    func answerPrompt(_ call: Call, _ number: UInt64) throws(BusError) {
        guard let prompt = call.caller.prompts[number] else { throw .noSuchObject(call.path.text) }
        switch call.member {
        case "Prompt":
            try call.expect("s")
            let window = Self.window(try call.message.readString())
            guard prompt.task == nil else { throw .failed("The person is being asked already") }
            try reply(call)
            prompt.task = Task { await self.ask(prompt, number, window: window, call.caller) }
        case "Dismiss":
            try call.expect("")
            try reply(call)
            if let task = prompt.task { return task.cancel() }
            call.caller.prompts[number] = nil
            complete(number, nil, prompt, call.caller)
        default: throw call.unknownMethod
        }
    }

    /// The window as the daemon has it; libraries say X11's in decimal digits.
    private static func window(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= Limits.parentWindowBytes else { return nil }
        return UInt64(text).map { "x11:0x" + String($0, radix: 16) } ?? text
    }

    /// What came of a prompt.
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
            // The person said no, or nothing: the daemon's journal has it.
        }
        guard caller.prompts.removeValue(forKey: number) != nil else { return }
        complete(number, outcome, prompt, caller)
    }

    private func perform(
        _ action: PendingPrompt.Action, window: String?, _ caller: Caller
    ) async throws(BusError) -> Outcome? {
        switch action {
        case .unlock(let paths):
            return try await unlock(paths, window: window, caller).map { .paths($0.map(\.text)) }
        case .make(let new):
            guard case .item(let id, let isNew) = try await caller.keychain.make(new, mayAsk: true) else { return nil }
            names.note(id, in: new.collection, label: new.label)
            return .path(tellOfItem(id, in: new.collection, isNew: isNew, caller))
        case .delete(let ids, let collection):
            for id in ids {
                guard try await caller.keychain.delete(id, mayAsk: true) else { return nil }
                tellOfDeletion(id, of: collection, caller)
            }
            return .nothing
        }
    }

    /// - Parameter outcome: nil where it was dismissed.
    private func complete(_ number: UInt64, _ outcome: Outcome?, _ prompt: PendingPrompt, _ caller: Caller) {
        let path = SecretPath.prompt(number).text
        try? surroundings.bus.signal(to: caller.name, path, Interface.prompt, "Completed") {
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
    /// The result of one that was dismissed, of the type that it would have.
    fileprivate var nothing: SecretBridge.Outcome {
        switch self {
        case .unlock: .paths([])
        case .make: .path(SecretPath.none)
        case .delete: .nothing
        }
    }
}
