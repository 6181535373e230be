// SPDX-License-Identifier: Apache-2.0
internal import CSystemd
internal import Glibc

/// The memory that a received message uses; sd-bus does not state it.
package struct MessageSize {
    private static let bytesPerValue = 8

    /// The bytes of the path and of the arguments, with 8 for each value besides its content. The content of a variant has
    /// its signature.
    package private(set) var bytes: Int
    private let message: OpaquePointer

    /// The next value that is read of the message is its first one.
    ///
    /// - Parameter limit: past it nothing more is counted.
    package init(of received: BusMessage, upTo limit: Int) throws(BusError) {
        message = received.message
        bytes = sd_bus_message_get_path(message).map { strlen($0) } ?? 0
        try count(upTo: limit)
        try BusError.check(sd_bus_message_rewind(message, 1))
    }

    /// Counts the values up to the end of the container, or of the message.
    private mutating func count(upTo limit: Int) throws(BusError) {
        var (type, contents): (CChar, UnsafePointer<CChar>?) = (0, nil)
        while bytes <= limit, try BusError.check(sd_bus_message_peek_type(message, &type, &contents)) > 0 {
            bytes += Self.bytesPerValue
            let kind = Character(UnicodeScalar(UInt8(bitPattern: type)))
            switch kind {
            case "s", "o", "g":
                var text: UnsafePointer<CChar>?
                try BusError.check(sd_bus_message_read_basic(message, type, &text))
                bytes += text.map { strlen($0) } ?? 0
            case "a" where Self.isOfNumbers(contents):
                var (start, size): (UnsafeRawPointer?, Int) = (nil, 0)
                try BusError.check(sd_bus_message_read_array(message, contents?.pointee ?? 0, &start, &size))
                bytes += size
            case "a", "v", "r", "e":
                if kind == "v" { bytes += contents.map { strlen($0) } ?? 0 }
                try BusError.check(sd_bus_message_enter_container(message, type, contents))
                try count(upTo: limit)
                guard bytes <= limit else { return }
                try BusError.check(sd_bus_message_exit_container(message))
            default: try BusError.check(sd_bus_message_skip(message, String(kind)))
            }
        }
    }

    /// Whether the elements of an array are numbers of a fixed size, which sd-bus reads at once.
    private static func isOfNumbers(_ contents: UnsafePointer<CChar>?) -> Bool {
        guard let contents, strlen(contents) == 1 else { return false }
        return strchr("ynqiuxtd", Int32(contents.pointee)) != nil
    }
}
