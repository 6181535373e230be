// SPDX-License-Identifier: Apache-2.0
internal import CSystemd
internal import EventLoop

/// The serving side of a connection: names, objects, answers to calls, signals.
extension Bus {
    /// Passes the method calls of an object and of all objects below it to `handler`, which must answer each by `reply`
    /// or `fail`, at any time.
    package func serve(_ prefix: String, handler: @escaping (BusMessage) -> Void) throws(BusError) {
        slots.append(
            try BusSlot(answers: true, handler) { slot, callback, context in
                sd_bus_add_fallback(bus, slot, prefix, callback, context)
            })
    }

    /// Requests a name, and does not queue for it.
    ///
    /// - Parameter outcome: is called once, in a later turn: success, or why the name is not ours.
    package func requestName(_ name: String, outcome: @escaping (Result<Void, BusError>) -> Void) throws(BusError) {
        try call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            arguments: { message throws(BusError) in
                try message.append(name)
                // DBUS_NAME_FLAG_DO_NOT_QUEUE
                try message.append(UInt32(4))
            }
        ) { answer in
            outcome(
                answer.flatMap { message in
                    // 1: primary owner; 4: it was already.
                    let number = try? message.readUInt32()
                    return number == 1 || number == 4
                        ? .success(()) : .failure(BusError(name: "the name is in use", text: name))
                })
        }
    }

    /// Passes the signals of a match rule to `handler` for as long as the result exists.
    package func watch(_ rule: String, handler: @escaping (BusMessage) -> Void) throws(BusError) -> BusWatch {
        let slot = try BusSlot(handler) { slot, callback, context in
            sd_bus_add_match_async(bus, slot, rule, callback, nil, context)
        }
        loop.attachedHasChanged()
        return BusWatch(slot, of: self)
    }

    /// Answers a call.
    ///
    /// - Parameters:
    ///   - isSensitive: whether its memory is overwritten when it has been sent.
    ///   - arguments: appends the results.
    package func reply(
        to call: BusMessage, isSensitive: Bool = false,
        _ arguments: (BusMessage) throws(BusError) -> Void = { _ in }
    ) throws(BusError) {
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_return(call.message, &made))
        try send(made, isSensitive: isSensitive, arguments)
    }

    /// Answers a call with an error, whose name is one of D-Bus's.
    package func fail(_ call: BusMessage, _ error: BusError) {
        var made: OpaquePointer?
        let result = error.name.withCString { name in
            error.text.withCString { text in
                var error = sd_bus_error(name: name, message: text, _need_free: 0)
                return sd_bus_message_new_method_error(call.message, &made, &error)
            }
        }
        guard result >= 0 else { return }
        try? send(made) { _ in }
    }

    /// Sends a signal to one program alone.
    package func signal(
        to name: String, _ path: String, _ interface: String, _ member: String,
        _ arguments: (BusMessage) throws(BusError) -> Void
    ) throws(BusError) {
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_signal(bus, &made, path, interface, member))
        try BusError.check(sd_bus_message_set_destination(made, name))
        try send(made, arguments)
    }

    /// - Parameter made: a message that this call releases.
    private func send(
        _ made: OpaquePointer?, isSensitive: Bool = false, _ arguments: (BusMessage) throws(BusError) -> Void
    ) throws(BusError) {
        guard let made else { throw BusError(name: "no message", text: "") }
        let message = BusMessage(adopting: made)
        if isSensitive { message.beSensitive() }
        try arguments(message)
        try BusError.check(sd_bus_send(bus, made, nil))
        loop.attachedHasChanged()
    }
}

/// Signals are passed to the handler for as long as this exists.
package final class BusWatch {
    private var slot: BusSlot?
    private let bus: Bus

    init(_ slot: BusSlot, of bus: Bus) { (self.slot, self.bus) = (slot, bus) }

    deinit {
        slot = nil
        bus.loop.attachedHasChanged()
    }
}
