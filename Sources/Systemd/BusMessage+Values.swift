// SPDX-License-Identifier: Apache-2.0
internal import CSystemd

/// Further values of a message.
extension BusMessage {
    package var destination: String? { sd_bus_message_get_destination(message).map { String(cString: $0) } }

    /// Whether its arguments are of these types.
    package func has(_ signature: String) -> Bool { sd_bus_message_has_signature(message, signature) > 0 }

    /// Has its memory overwritten when it is released.
    package func beSensitive() { sd_bus_message_sensitive(message) }

    // MARK: - Writing

    package func append(_ value: Bool) throws(BusError) {
        var number: Int32 = value ? 1 : 0
        try BusError.check(sd_bus_message_append_basic(message, Character("b").code, &number))
    }

    package func append(_ number: UInt64) throws(BusError) {
        var number = number
        try BusError.check(sd_bus_message_append_basic(message, Character("t").code, &number))
    }

    /// An `ay`.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(BusError) {
        try BusError.check(
            sd_bus_message_append_array(message, Character("y").code, bytes.baseAddress, bytes.count))
    }

    package func append(bytes: [UInt8]) throws(BusError) {
        let written = bytes.withUnsafeBytes { bytes in Result { () throws(BusError) in try append(bytes) } }
        try written.get()
    }

    /// Writes the contents of a container (`a`, `v`, `r` or `e`).
    package func write(
        _ type: Character, of contents: String, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        try BusError.check(sd_bus_message_open_container(message, type.code, contents))
        try body()
        try BusError.check(sd_bus_message_close_container(message))
    }

    /// An array of texts.
    package func append(_ texts: some Sequence<String>, type: Character) throws(BusError) {
        try BusError.check(sd_bus_message_open_container(message, Character("a").code, String(type)))
        for text in texts { try append(text, type: type) }
        try BusError.check(sd_bus_message_close_container(message))
    }

    /// An `a{ss}`.
    package func append(_ attributes: [String: String]) throws(BusError) {
        try write("a", of: "{ss}") { () throws(BusError) in
            for (name, text) in attributes.sorted(by: { $0.key < $1.key }) {
                try write("e", of: "ss") { () throws(BusError) in
                    try append(name)
                    try append(text)
                }
            }
        }
    }

    // MARK: - Reading

    package func readUInt64() throws(BusError) -> UInt64 {
        var number: UInt64 = 0
        guard try BusError.check(sd_bus_message_read_basic(message, Character("t").code, &number)) > 0 else {
            throw BusError(name: "end of the message", text: "")
        }
        return number
    }

    /// Calls `body` with the bytes of an `ay`, valid during the call.
    package func readBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(BusError) -> Result<Value, Failure> {
        var (bytes, size): (UnsafeRawPointer?, Int) = (nil, 0)
        guard try BusError.check(sd_bus_message_read_array(message, Character("y").code, &bytes, &size)) > 0 else {
            throw BusError(name: "end of the message", text: "")
        }
        return Result { () throws(Failure) in try body(UnsafeRawBufferPointer(start: bytes, count: size)) }
    }

    /// The texts of an array.
    ///
    /// - Parameter limit: the most that are accepted.
    package func readStrings(type: Character, limit: Int) throws(BusError) -> [String] {
        var texts: [String] = []
        _ = try read("a", of: String(type)) { () throws(BusError) in
            while try !isAtEnd {
                guard texts.count < limit else {
                    throw BusError(name: Self.limitsExceeded, text: "at most \(limit) at once")
                }
                texts.append(try readString(type: type))
            }
        }
        return texts
    }

    /// Whether the container that is read has no more.
    package var isAtEnd: Bool {
        get throws(BusError) { try BusError.check(sd_bus_message_at_end(message, 0)) > 0 }
    }

    private static var limitsExceeded: String { "org.freedesktop.DBus.Error.LimitsExceeded" }
}
