// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory
internal import SecretSession
internal import Systemd

/// The values of the Secret Service API in messages.
extension BusMessage {
    /// The interface of a call. It may be missing (D-Bus Specification, Message Types): no two interfaces of an object
    /// have a method of the same name.
    ///
    /// - Parameter own: the interface that only this kind of object has.
    func interface(default own: String) -> String {
        if let interface { return interface }
        switch member {
        case "Introspect": return Interface.introspectable
        case "Get", "GetAll", "Set": return Interface.properties
        default: return own
        }
    }

    /// An `a{ss}`, within the limits of an item.
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
        guard attributes[""] == nil else { throw .invalid("An attribute must have a name") }
        return attributes
    }

    /// The label and the attributes in an `a{sv}` of properties; other properties are skipped.
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
                // A longer value is not copied. Sealing adds at most one block.
                guard value.count <= Limits.itemDataBytes + SessionCipher.block else {
                    throw .invalid("A secret has at most \(Limits.itemDataBytes) bytes")
                }
                return parameters.withUnsafeBytes { cipher.opened(parameters: $0, value: value) }
            }.get()
            return (secret, try readString())
        }
        guard let read, let secret = read.0 else {
            throw .invalid("The secret is not sealed by the algorithm of its session")
        }
        return (secret, read.1)
    }

    /// An `a{sv}` of properties.
    func append(_ properties: [Property]) throws(BusError) {
        try write("a", of: "{sv}") { () throws(BusError) in
            for property in properties { try append(property.name, property.value) }
        }
    }

    /// An entry of an `a{sv}`.
    func append(_ name: String, _ value: PropertyValue) throws(BusError) {
        try write("e", of: "sv") { () throws(BusError) in
            try append(name)
            try value.append(to: self)
        }
    }
}

extension Caller {
    /// The cipher of one of its sessions.
    func cipher(_ path: String) throws(BusError) -> SessionCipher {
        guard case .session(let number) = SecretPath(path), let cipher = sessions[number] else { throw .noSession }
        return cipher
    }
}
