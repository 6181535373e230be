// SPDX-License-Identifier: Apache-2.0
internal import CSystemd

/// A connection to a message bus for a program without a loop (sd-bus): one call at a time, each of which blocks.
package final class BlockingBus {
    private let bus: OpaquePointer
    /// In microseconds.
    private let patience: UInt64

    /// - Parameters:
    ///   - address: a D-Bus address, such as `unix:path=/run/dbus/system_bus_socket`.
    ///   - patience: a call that is not answered within this time fails; the bus may have to start the service first.
    package init(at address: String, patience: Duration = .seconds(120)) throws(BusError) {
        bus = try Bus.open(.at(address))
        self.patience = UInt64(patience / .microseconds(1))
    }

    deinit { sd_bus_close_unref(bus) }

    /// Calls a method and waits for its reply. The memory of both messages is overwritten when they are released.
    ///
    /// - Parameter arguments: appends them.
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        arguments: (BusMessage) throws(BusError) -> Void = { _ in }
    ) throws(BusError) -> BusMessage {
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_call(bus, &made, destination, path, interface, member))
        guard let made else { throw BusError(name: "no message", text: "") }
        let message = BusMessage(adopting: made)
        message.beSensitive()
        try arguments(message)
        var (error, reply) = (sd_bus_error(), OpaquePointer?.none)
        defer { sd_bus_error_free(&error) }
        let result = sd_bus_call(bus, message.message, patience, &error, &reply)
        if result < 0, let name = error.name {
            throw BusError(name: String(cString: name), text: error.message.map { String(cString: $0) } ?? "")
        }
        try BusError.check(result)
        guard let reply else { throw BusError(name: "no reply", text: "") }
        let answer = BusMessage(adopting: reply)
        answer.beSensitive()
        return answer
    }
}
