// SPDX-License-Identifier: Apache-2.0
internal import SecretSession
internal import Systemd

/// A call of `org.freedesktop.Secret.Session`, or the one that opens a session.
struct SessionInterface {
    let call: Call
    let objects: BridgeObjects

    func answer(_ number: UInt64) throws(BusError) {
        guard call.caller.sessions[number] != nil else { throw .noSession }
        guard call.member == "Close" else { throw call.unknownMethod }
        call.caller.sessions[number] = nil
        try call.reply()
    }

    func open() throws(BusError) {
        try call.expect("sv")
        guard call.caller.sessions.count < BridgeLimits.sessionsPerCaller else {
            throw .tooMany("At most \(BridgeLimits.sessionsPerCaller) sessions of one connection")
        }
        switch try call.message.readString() {
        case SessionCipher.plainName:
            try call.message.skip("v")
            try open(.plain) { message throws(BusError) in
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
            try open(cipher) { message throws(BusError) in
                try message.write("v", of: "ay") { () throws(BusError) in try message.append(bytes: key) }
            }
        default: throw .notSupported("The algorithms are \(SessionCipher.plainName) and \(SessionCipher.aesName)")
        }
    }

    private func open(
        _ cipher: SessionCipher, output: (BusMessage) throws(BusError) -> Void
    ) throws(BusError) {
        let number = objects.nextNumber()
        call.caller.sessions[number] = cipher
        try call.reply { message throws(BusError) in
            try output(message)
            try message.append(SecretPath.session(number).text, type: "o")
        }
    }
}
