// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory
internal import Systemd

/// The values of the Secret Service API in messages.
extension BusMessage {
    /// An `a{ss}`: as many, and as long, as an item may have.
    func readAttributes() throws(BusError) -> [String: String] {
        var attributes: [String: String] = [:]
        var bytes = 0
        _ = try read("a", of: "{ss}") { () throws(BusError) in
            while let (name, text) = try read(
                "e", of: "ss",
                { () throws(BusError) in
                    (try readString(), try readString())
                })
            {
                bytes += name.utf8.count + text.utf8.count
                attributes[name] = text
                guard attributes.count <= Limits.itemAttributes, bytes <= Limits.itemAttributesBytes else {
                    throw .tooMany(
                        "An item has at most \(Limits.itemAttributes) attributes of \(Limits.itemAttributesBytes) bytes in all"
                    )
                }
            }
        }
        guard attributes[""] == nil else { throw .invalid("An attribute has a name") }
        return attributes
    }

    func append(_ attributes: [String: String]) throws(BusError) {
        try write("a", of: "{ss}") { () throws(BusError) in
            for (name, text) in attributes.sorted(by: { $0.key < $1.key }) {
                try write("e", of: "ss") { () throws(BusError) in
                    try append(name)
                    try append(text)
                }
            }
        }
    }

    /// The label and the attributes of an `a{sv}` of properties, which may have others.
    func readProperties(of interface: String) throws(BusError) -> (label: String?, attributes: [String: String]?) {
        var (label, attributes): (String?, [String: String]?) = (nil, nil)
        _ = try read("a", of: "{sv}") { () throws(BusError) in
            while try read(
                "e", of: "sv",
                { () throws(BusError) in
                    switch try readString() {
                    case "\(interface).Label":
                        label = try read("v", of: "s") { () throws(BusError) in try readString() }
                    case "\(interface).Attributes":
                        attributes = try read("v", of: "a{ss}") { () throws(BusError) in try readAttributes() }
                    default: try skip("v")
                    }
                }) != nil
            {}
        }
        return (label, attributes)
    }

    /// A secret, `(oayays)`: session, parameters, value, content type.
    func readSecret(of caller: Caller) throws(BusError) -> (secret: SecretBytes, contentType: String) {
        beSensitive()
        let read = try read("r", of: "oayays") { () throws(BusError) -> (SecretBytes?, String) in
            let cipher = try caller.cipher(try readString(type: "o"))
            let parameters = try readBytes { Array($0) }.get()
            let secret = try readBytes { (value) throws(BusError) in
                // What is no item's is not copied. Sealed it is longer by a block at most.
                guard value.count <= Limits.itemDataBytes + SessionCipher.block else {
                    throw .invalid("A secret has at most \(Limits.itemDataBytes) bytes")
                }
                return parameters.withUnsafeBytes { cipher.opened(parameters: $0, value: value) }
            }.get()
            return (secret, try readString())
        }
        guard let read, let secret = read.0 else { throw .invalid("The secret is not sealed as its session has it") }
        return (secret, read.1)
    }

    /// - Parameter session: the path of the session that the cipher is of.
    func append(
        _ secret: SecretBytes, contentType: String, session: String, _ cipher: SessionCipher
    ) throws(BusError) {
        guard let sealed = cipher.sealed(secret) else { throw .failed("The secret could not be sealed") }
        try write("r", of: "oayays") { () throws(BusError) in
            try append(session, type: "o")
            try append(bytes: sealed.parameters)
            try append(bytes: sealed.value)
            try append(contentType)
        }
    }

    private func append(bytes: SecretBytes) throws(BusError) {
        try bytes.withUnsafeBytes { (bytes) throws(BusError) in try append(bytes) }
    }

    func append(bytes: [UInt8]) throws(BusError) {
        let written = bytes.withUnsafeBytes { bytes in Result { () throws(BusError) in try append(bytes) } }
        try written.get()
    }
}

extension Caller {
    /// How secrets go in one of its sessions.
    func cipher(_ path: String) throws(BusError) -> SessionCipher {
        guard case .session(let number) = SecretPath(path), let cipher = sessions[number] else { throw .noSession }
        return cipher
    }
}
