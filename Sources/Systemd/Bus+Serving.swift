// SPDX-License-Identifier: Apache-2.0
internal import CSystemd
internal import EventLoop

/// What a service on the bus does: it has a name and objects, answers calls and sends signals.
extension Bus {
    /// Hands out the method calls of an object and of all that lie below it; each is to be answered by `reply` or `fail`, at any
    /// time.
    package func serve(_ prefix: String, handler: @escaping (BusMessage) -> Void) throws(BusError) {
        slots.append(
            try BusSlot(answers: true, handler) { slot, callback, context in
                sd_bus_add_fallback(bus, slot, prefix, callback, context)
            })
    }

    /// Asks for a name; nobody waits in line for it.
    ///
    /// - Parameter outcome: is called once, in a later turn: whether the name is ours, or why not.
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
                        ? .success(()) : .failure(BusError(name: "the name is taken", text: name))
                })
        }
    }

    /// Has the signals of a match rule handed out for as long as the result lives.
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

    /// - Parameter made: a message that is given up.
    private func send(
        _ made: OpaquePointer?, isSensitive: Bool = false, _ arguments: (BusMessage) throws(BusError) -> Void
    ) throws(BusError) {
        guard let made else { throw BusError(name: "no message", text: "") }
        let message = BusMessage(taking: made)
        if isSensitive { message.beSensitive() }
        try arguments(message)
        try BusError.check(sd_bus_send(bus, made, nil))
        loop.attachedHasChanged()
    }
}

/// Signals are handed out for as long as this lives.
package final class BusWatch {
    private var slot: BusSlot?
    private let bus: Bus

    init(_ slot: BusSlot, of bus: Bus) { (self.slot, self.bus) = (slot, bus) }

    deinit {
        slot = nil
        bus.loop.attachedHasChanged()
    }
}
