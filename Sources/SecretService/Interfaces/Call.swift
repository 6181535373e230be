// SPDX-License-Identifier: Apache-2.0
internal import Systemd

/// A method call that is being answered.
struct Call {
    let message: BusMessage
    let caller: Caller
    let path: SecretPath
    let bus: Bus

    var keychain: Keychain { caller.keychain }
    var member: String { message.member ?? "" }

    /// Checks the types of the arguments.
    func expect(_ signature: String) throws(BusError) {
        guard message.has(signature) else { throw .invalid("The arguments of \(member) are “\(signature)”") }
    }

    var unknownMethod: BusError { .unknownMethod("There is no method \(member)") }

    func reply(
        isSensitive: Bool = false, _ arguments: (BusMessage) throws(BusError) -> Void = { _ in }
    ) throws(BusError) {
        try bus.reply(to: message, isSensitive: isSensitive, arguments)
    }

    /// Replies with a path.
    func reply(path: String) throws(BusError) {
        try reply { message throws(BusError) in try message.append(path, type: "o") }
    }
}
