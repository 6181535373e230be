// SPDX-License-Identifier: Apache-2.0
internal import CSystemd
package import EventLoop

/// A connection to a message bus, on the loop (sd-bus). Nothing blocks: connecting also proceeds in the loop's turns.
package final class Bus {
    package enum Address: Hashable, Sendable {
        /// `DBUS_SYSTEM_BUS_ADDRESS`, or the system's own.
        case system
        /// `DBUS_SESSION_BUS_ADDRESS`, or the bus of the user's service manager.
        case session
        /// A D-Bus address, such as `unix:path=/run/dbus/system_bus_socket`.
        case at(String)
    }

    /// In microseconds.
    private let patience: UInt64
    let loop: EventLoop
    let bus: OpaquePointer
    var slots: [BusSlot] = []

    /// - Parameters:
    ///   - patience: a call that is not answered within this time fails.
    ///   - onDisconnect: is called once, when the connection has failed or ended. No message follows.
    package init(
        on loop: EventLoop, address: Address = .system, patience: Duration = .seconds(25),
        onDisconnect: @escaping () -> Void
    ) throws(BusError) {
        (self.loop, self.patience) = (loop, UInt64(patience / .microseconds(1)))
        bus = try Self.open(address)
        try BusError.check(sd_bus_attach_event(bus, loop.event, 0))
        try match("type='signal',path='/org/freedesktop/DBus/Local',member='Disconnected'") { _ in onDisconnect() }
    }

    /// The socket of the connection; negative if there is none.
    package var descriptor: Int32 { sd_bus_get_fd(bus) }

    static func open(_ address: Address) throws(BusError) -> OpaquePointer {
        var bus: OpaquePointer?
        do throws(BusError) {
            switch address {
            case .system: try BusError.check(sd_bus_open_system(&bus))
            case .session: try BusError.check(sd_bus_open_user(&bus))
            case .at(let address):
                try BusError.check(sd_bus_new(&bus))
                try BusError.check(sd_bus_set_address(bus, address))
                try BusError.check(sd_bus_set_bus_client(bus, 1))
                try BusError.check(sd_bus_start(bus))
            }
        } catch {
            sd_bus_unref(bus)
            throw error
        }
        guard let bus else { throw BusError(name: "no connection", text: "") }
        return bus
    }

    deinit {
        slots = []
        sd_bus_close_unref(bus)
    }

    /// Passes the signals of a match rule to `handler` for as long as the connection exists. Other programs may send
    /// such a signal directly: compare `sender`.
    package func match(_ rule: String, handler: @escaping (BusMessage) -> Void) throws(BusError) {
        slots.append(
            try BusSlot(handler) { slot, callback, context in
                // A rule that the bus refuses ends the connection.
                sd_bus_add_match_async(bus, slot, rule, callback, nil, context)
            })
        loop.attachedHasChanged()
    }

    /// Calls a method.
    /// - Parameters:
    ///   - arguments: appends them.
    ///   - reply: is called once, in a later turn, unless the connection is released before.
    package func call(
        _ destination: String, _ path: String, _ interface: String?, _ member: String,
        arguments: (BusMessage) throws(BusError) -> Void = { _ in },
        reply: @escaping (Result<BusMessage, BusError>) -> Void
    ) throws(BusError) {
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_call(bus, &made, destination, path, interface, member))
        guard let made else { throw BusError(name: "no message", text: "") }
        let message = BusMessage(adopting: made)
        try arguments(message)
        let slot = try BusSlot({ reply($0.failure.map { .failure($0) } ?? .success($0)) }) { slot, callback, context in
            sd_bus_call_async(bus, slot, message.message, callback, context, patience)
        }
        slot.leaveToConnection()
        loop.attachedHasChanged()
    }
}

extension BusMessage {
    /// The error that a reply carries; nil for a successful one.
    fileprivate var failure: BusError? {
        guard sd_bus_message_is_method_error(message, nil) > 0, let error = sd_bus_message_get_error(message) else {
            return nil
        }
        return BusError(
            name: error.pointee.name.map { String(cString: $0) } ?? "",
            text: error.pointee.message.map { String(cString: $0) } ?? "")
    }
}
