// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import PeerInspection
internal import Systemd

/// The unique names on the bus, and the process that the bus states for each. A name is never used again, and its
/// process never changes.
final class BusNames {
    private struct Maker {
        let process: UInt32
        /// When that process started: a later one may have its number. nil if it had ended when this was read.
        let started: UInt64?
    }

    private let bus: Bus
    private let loop: EventLoop
    private var makers: [String: Maker] = [:]

    init(_ bus: Bus, on loop: EventLoop) { (self.bus, self.loop) = (bus, loop) }

    /// Those that exist now.
    func list() async throws(BusError) -> Set<String> {
        let names = try begin("ListNames") { message throws(BusError) in
            try message.readStrings(type: "s", limit: BridgeLimits.namesOnBus)
        }
        return Set(try await Self.value(of: names).filter { $0.hasPrefix(":") })
    }

    /// How many of some existing names are a process's.
    func count(of process: UInt32, among names: Set<String>) async throws(BusError) -> Int {
        var found = makers.filter { names.contains($0.key) }
        var asked: [(name: String, answer: Wait<Result<UInt32, BusError>>)] = []
        for name in names where found[name] == nil {
            let answer = try begin("GetConnectionUnixProcessID", name) { message throws(BusError) in
                try message.readUInt32()
            }
            asked.append((name, answer))
        }
        for (name, answer) in asked {
            do throws(BusError) {
                let maker = try await Self.value(of: answer)
                found[name] = Maker(process: maker, started: BusSockets.startTime(of: Int32(bitPattern: maker)))
            } catch {
                guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
            }
        }
        makers = found
        let started = BusSockets.startTime(of: Int32(bitPattern: process))
        return found.values.count { $0.process == process && $0.started == started }
    }

    /// Whether each connection has said Hello, as far as the bus reports that: it then has a name, or is a monitor.
    func areComplete() async throws(BusError) -> Bool {
        let stats = try begin("GetStats", of: "org.freedesktop.DBus.Debug.Stats") { message throws(BusError) in
            try Self.incomplete(message)
        }
        do throws(BusError) { return try await Self.value(of: stats) == 0 } catch {
            // dbus-broker has others, and a bus may have none.
            return false
        }
    }

    private static func incomplete(_ message: BusMessage) throws(BusError) -> UInt32? {
        var count: UInt32?
        _ = try message.read("a", of: "{sv}") { () throws(BusError) in
            while try message.read(
                "e", of: "sv",
                { () throws(BusError) in
                    if try message.readString() == "IncompleteConnections" {
                        count = try message.read("v", of: "u") { () throws(BusError) in try message.readUInt32() }
                    } else {
                        try message.skip("v")
                    }
                }) != nil
            {}
        }
        return count
    }

    private func begin<Value>(
        _ member: String, _ argument: String? = nil, of interface: String = "org.freedesktop.DBus",
        read: @escaping (BusMessage) throws(BusError) -> Value
    ) throws(BusError) -> Wait<Result<Value, BusError>> {
        let wait = Wait<Result<Value, BusError>>(on: loop)
        try bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", interface, member,
            arguments: { message throws(BusError) in if let argument { try message.append(argument) } }
        ) { answer in
            wait.resume(returning: answer.flatMap { message in Result { () throws(BusError) in try read(message) } })
        }
        return wait
    }

    private static func value<Value>(of wait: Wait<Result<Value, BusError>>) async throws(BusError) -> Value {
        let answer: Result<Value, BusError>
        do throws(WaitFailure) { answer = try await wait.value() } catch { throw .failed("The call was cancelled") }
        return try answer.get()
    }
}
