// SPDX-License-Identifier: Apache-2.0
internal import CSystemd
internal import Glibc

/// A handler that sd-bus calls, for as long as this exists.
final class BusSlot {
    private final class Handler {
        let body: (BusMessage) -> Void
        let result: Int32

        init(_ body: @escaping (BusMessage) -> Void, result: Int32) { (self.body, self.result) = (body, result) }
    }

    typealias Adding = (
        UnsafeMutablePointer<OpaquePointer?>, @escaping sd_bus_message_handler_t, UnsafeMutableRawPointer
    ) -> Int32

    private var slot: OpaquePointer?

    /// - Parameters:
    ///   - answers: whether each message is answered: else libsystemd tries other handlers, and then replies that the
    ///     method is unknown.
    ///   - add: passes the address of the slot, the function and its context to libsystemd.
    init(answers: Bool = false, _ body: @escaping (BusMessage) -> Void, add: Adding) throws(BusError) {
        let handler = Unmanaged.passRetained(Handler(body, result: answers ? 1 : 0))
        let result = add(&slot, Self.isCalled, handler.toOpaque())
        guard result >= 0 else {
            handler.release()
            throw BusError(name: String(cString: strerror(-result)), text: "")
        }
        // From here on libsystemd owns the handler, and releases it with the slot.
        sd_bus_slot_set_destroy_callback(slot) { context in
            guard let context else { return }
            Unmanaged<Handler>.fromOpaque(context).release()
        }
    }

    deinit { sd_bus_slot_unref(slot) }

    /// The slot is released after the call for a reply, or with its connection.
    func leaveToConnection() { sd_bus_slot_set_floating(slot, 1) }

    private static let isCalled: sd_bus_message_handler_t = { message, context, _ in
        guard let message, let context else { return 0 }
        let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        handler.body(BusMessage(message))
        return handler.result
    }
}
