// SPDX-License-Identifier: Apache-2.0
internal import CSystemd
internal import Glibc

/// A D-Bus message, written or read from the first argument to the last. Types are D-Bus's signatures.
package final class BusMessage {
    let message: OpaquePointer

    /// Adopts a reference.
    init(adopting message: OpaquePointer) { self.message = message }

    convenience init(_ message: OpaquePointer) {
        sd_bus_message_ref(message)
        self.init(adopting: message)
    }

    deinit { sd_bus_message_unref(message) }

    /// The unique name of the sender, as the bus states it.
    package var sender: String? { sd_bus_message_get_sender(message).map { String(cString: $0) } }
    package var path: String? { sd_bus_message_get_path(message).map { String(cString: $0) } }
    package var interface: String? { sd_bus_message_get_interface(message).map { String(cString: $0) } }
    package var member: String? { sd_bus_message_get_member(message).map { String(cString: $0) } }

    // MARK: - Writing

    /// - Parameter type: `s`, `o` or `g`.
    package func append(_ text: String, type: Character = "s") throws(BusError) {
        try BusError.check(text.withCString { sd_bus_message_append_basic(message, type.code, $0) })
    }

    package func append(_ number: UInt32) throws(BusError) {
        try BusError.check(
            withUnsafePointer(to: number) { sd_bus_message_append_basic(message, Character("u").code, $0) })
    }

    // MARK: - Reading

    /// - Parameter type: `s`, `o` or `g`.
    package func readString(type: Character = "s") throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        try BusError.check(sd_bus_message_read_basic(message, type.code, &text))
        guard let text else { throw BusError(name: "end of the message", text: "") }
        return String(cString: text)
    }

    package func readBool() throws(BusError) -> Bool { try readInteger("b", Int32(0)) != 0 }
    package func readUInt32() throws(BusError) -> UInt32 { try readInteger("u", UInt32(0)) }

    /// The message's own descriptor: it is closed with the message.
    package func readDescriptor() throws(BusError) -> Int32 { try readInteger("h", Int32(-1)) }

    private func readInteger<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Character, _ initial: Number)
        throws(BusError) -> Number
    {
        var number = initial
        guard try BusError.check(sd_bus_message_read_basic(message, type.code, &number)) > 0 else {
            throw BusError(name: "end of the message", text: "")
        }
        return number
    }

    /// Reads the contents of a container (`a`, `v`, `r` or `e`), which must be read to its end.
    /// - Returns: nil where there is no more such container.
    package func read<Value>(
        _ type: Character, of contents: String, _ body: () throws(BusError) -> Value
    ) throws(BusError) -> Value? {
        guard try BusError.check(sd_bus_message_enter_container(message, type.code, contents)) > 0 else { return nil }
        let value = try body()
        try BusError.check(sd_bus_message_exit_container(message))
        return value
    }

    package func skip(_ types: String) throws(BusError) { try BusError.check(sd_bus_message_skip(message, types)) }
}

/// The error of a call, or why a call could not be sent.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// D-Bus's name of the error, or the kernel's error text.
    package let name: String
    package let text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }

    package var description: String { text.isEmpty ? name : text }

    @discardableResult
    static func check(_ result: Int32) throws(BusError) -> Int32 {
        guard result >= 0 else { throw BusError(name: String(cString: strerror(-result)), text: "") }
        return result
    }
}

extension Character {
    var code: CChar { CChar(bitPattern: asciiValue ?? 0) }
}
