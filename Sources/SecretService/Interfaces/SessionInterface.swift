// SPDX-License-Identifier: Apache-2.0
internal import Systemd

/// Sessions: how secrets go over the bus.
extension SecretBridge {
    func openSession(_ call: Call) throws(BusError) {
        try call.expect("sv")
        guard call.caller.sessions.count < BridgeLimits.sessionsPerCaller else {
            throw .tooMany("At most \(BridgeLimits.sessionsPerCaller) sessions of one connection")
        }
        switch try call.message.readString() {
        case SessionCipher.plainName:
            try call.message.skip("v")
            try open(.plain, call) { message throws(BusError) in
                try message.write("v", of: "s") { () throws(BusError) in try message.append("") }
            }
        case SessionCipher.aesName:
            let agreement = KeyAgreement()
            let cipher = try call.message.read("v", of: "ay") { () throws(BusError) in
                try call.message.readBytes { agreement.cipher(with: $0) }.get()
            }
            guard let cipher = cipher ?? nil, let key = agreement.publicKey else {
                throw .invalid("The key is no public key of the group")
            }
            try open(cipher, call) { message throws(BusError) in
                try message.write("v", of: "ay") { () throws(BusError) in try message.append(bytes: key) }
            }
        default: throw .notSupported("The algorithms are \(SessionCipher.plainName) and \(SessionCipher.aesName)")
        }
    }

    private func open(
        _ cipher: SessionCipher, _ call: Call, output: (BusMessage) throws(BusError) -> Void
    ) throws(BusError) {
        let number = nextNumber()
        call.caller.sessions[number] = cipher
        try reply(call) { message throws(BusError) in
            try output(message)
            try message.append(SecretPath.session(number).text, type: "o")
        }
    }

    func answerSession(_ call: Call, _ number: UInt64) throws(BusError) {
        guard call.caller.sessions[number] != nil else { throw .noSession }
        guard call.member == "Close" else { throw call.unknownMethod }
        call.caller.sessions[number] = nil
        try reply(call)
    }
}
