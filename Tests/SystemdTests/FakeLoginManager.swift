// SPDX-License-Identifier: Apache-2.0
import CSystemd
import EventLoop
import Foundation
import Testing

/// A login manager on a private bus, on the loop of the test: answers as systemd-logind does, and sends signals on
/// request.
final class FakeLoginManager {
    struct Session {
        var user = geteuid()
        var isLocked = false
    }

    var sessions: [String: Session] = [:]
    var refusesToWait = false
    private(set) var heldSleeps: [Int32] = []
    private var bus: OpaquePointer?

    static func path(_ session: String) -> String { "/org/freedesktop/login1/session/\(session)" }

    init(on loop: EventLoop, at address: String, name: String? = "org.freedesktop.login1") throws {
        try #require(sd_bus_new(&bus) >= 0)
        try #require(sd_bus_set_address(bus, address) >= 0)
        try #require(sd_bus_set_bus_client(bus, 1) >= 0)
        try #require(sd_bus_start(bus) >= 0)
        // Its name is its own before anything is served on the loop.
        if let name { try #require(sd_bus_request_name(bus, name, 0) >= 0) }
        let own = Unmanaged.passUnretained(self).toOpaque()
        try #require(
            sd_bus_add_filter(
                bus, nil,
                { message, context, _ in
                    guard let message, let context else { return 0 }
                    return Unmanaged<FakeLoginManager>.fromOpaque(context).takeUnretainedValue().answer(message)
                }, own) >= 0)
        try #require(sd_bus_attach_event(bus, loop.event, 0) >= 0)
    }

    deinit {
        for held in heldSleeps { close(held) }
        sd_bus_flush_close_unref(bus)
    }

    /// Whether sleep is still inhibited: our end of the pair is not hung up.
    var isSleepHeld: Bool {
        heldSleeps.contains { held in
            var waiting = pollfd(fd: held, events: 0, revents: 0)
            return poll(&waiting, 1, 0) == 0
        }
    }

    // MARK: - Signals

    func send(_ member: String, of session: String) {
        emit(Self.path(session), "org.freedesktop.login1.Session", member) { _ in }
    }

    func prepareForSleep(_ begins: Bool) {
        emit("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep") { message in
            append(message, "b", Int32(begins ? 1 : 0))
        }
    }

    func setLocked(_ session: String, _ isLocked: Bool) {
        sessions[session]?.isLocked = isLocked
        emit(Self.path(session), "org.freedesktop.DBus.Properties", "PropertiesChanged") { message in
            append(message, "s", "org.freedesktop.login1.Session")
            container(message, "a", "{sv}") {}
            container(message, "a", "s") { append(message, "s", "LockedHint") }
        }
    }

    func remove(_ session: String) {
        sessions[session] = nil
        emit("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "SessionRemoved") { message in
            append(message, "s", session)
            append(message, "o", Self.path(session))
        }
    }

    private func emit(_ path: String, _ interface: String, _ member: String, _ arguments: (OpaquePointer) -> Void) {
        var message: OpaquePointer?
        sd_bus_message_new_signal(bus, &message, path, interface, member)
        guard let message else { return }
        arguments(message)
        sd_bus_send(nil, message, nil)
        sd_bus_message_unref(message)
        sd_bus_flush(bus)
    }

    // MARK: - Answers

    private func answer(_ call: OpaquePointer) -> Int32 {
        guard let member = sd_bus_message_get_member(call).map({ String(cString: $0) }),
            sd_bus_message_is_method_call(call, nil, nil) > 0
        else { return 0 }
        var made: OpaquePointer?
        sd_bus_message_new_method_return(call, &made)
        guard let reply = made else { return 0 }
        defer { sd_bus_message_unref(reply) }
        switch member {
        case "Inhibit" where !refusesToWait:
            var ends: [Int32] = [0, 0]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
            heldSleeps.append(ends[1])
            append(reply, "h", ends[0])
            close(ends[0])
        case "ListSessions":
            container(reply, "a", "(susso)") {
                for (name, session) in sessions.sorted(by: { $0.key < $1.key }) {
                    container(reply, "r", "susso") {
                        append(reply, "s", name)
                        append(reply, "u", session.user)
                        append(reply, "s", "other")
                        append(reply, "s", "seat0")
                        append(reply, "o", Self.path(name))
                    }
                }
            }
        case "GetAll":
            let name = sd_bus_message_get_path(call).map { String(cString: $0).split(separator: "/").last ?? "" } ?? ""
            guard let session = sessions[String(name)] else { return refuse(call) }
            container(reply, "a", "{sv}") {
                property(reply, "Id", "s") { append(reply, "s", String(name)) }
                property(reply, "User", "(uo)") {
                    container(reply, "r", "uo") {
                        append(reply, "u", session.user)
                        append(reply, "o", "/org/freedesktop/login1/user/_0")
                    }
                }
                property(reply, "LockedHint", "b") { append(reply, "b", Int32(session.isLocked ? 1 : 0)) }
                property(reply, "Seat", "(so)") {
                    container(reply, "r", "so") {
                        append(reply, "s", "seat0")
                        append(reply, "o", "/org/freedesktop/login1/seat/seat0")
                    }
                }
            }
        default: return refuse(call)
        }
        sd_bus_send(nil, reply, nil)
        return 1
    }

    private func refuse(_ call: OpaquePointer) -> Int32 {
        var error = sd_bus_error()
        // Copied, because a Swift string's bytes are valid for one call.
        sd_bus_error_set(&error, "org.freedesktop.DBus.Error.Failed", "It is refused.")
        sd_bus_reply_method_error(call, &error)
        sd_bus_error_free(&error)
        return 1
    }

    private func append(_ message: OpaquePointer, _ type: Character, _ text: String) {
        sd_bus_message_append_basic(message, CChar(type.asciiValue ?? 0), text)
    }

    private func append(_ message: OpaquePointer, _ type: Character, _ number: some BitwiseCopyable & FixedWidthInteger)
    {
        var number = number
        sd_bus_message_append_basic(message, CChar(type.asciiValue ?? 0), &number)
    }

    private func container(_ message: OpaquePointer, _ type: Character, _ contents: String, _ body: () -> Void) {
        sd_bus_message_open_container(message, CChar(type.asciiValue ?? 0), contents)
        body()
        sd_bus_message_close_container(message)
    }

    private func property(_ message: OpaquePointer, _ name: String, _ type: String, _ value: () -> Void) {
        container(message, "e", "sv") {
            append(message, "s", name)
            container(message, "v", type, value)
        }
    }
}
