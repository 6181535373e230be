// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Systemd
import Testing

@testable import SecretService

/// A connection of this process to a test's bus.
final class BusClient {
    let loop: EventLoop
    private let bus: Bus
    /// Stays as long as its clients.
    private let stage: SecretStage
    /// The signals from the bridge.
    private(set) var signals: [BusMessage] = []
    private static let patience = Duration.seconds(120)

    init(_ stage: SecretStage) throws {
        let loop = try EventLoop()
        (self.loop, self.stage) = (loop, stage)
        // A call may have to wait on a slow machine.
        bus = try Bus(on: loop, address: .at(stage.address), patience: Self.patience) {}
        try bus.match("type='signal'") { [unowned self] message in
            if message.interface?.hasPrefix("org.freedesktop.Secret") == true { signals.append(message) }
        }
    }

    /// The socket of the connection.
    var descriptor: Int32 { bus.descriptor }

    /// Calls, and waits for the answer.
    ///
    /// - Parameter interface: what follows `org.freedesktop.`; nil: the call names none.
    func call(
        _ path: String, _ interface: String?, _ member: String,
        _ arguments: (BusMessage) throws(BusError) -> Void = { _ in }
    ) throws -> Result<BusMessage, BusError> {
        var answer: Result<BusMessage, BusError>?
        try begin(path, interface, member, arguments) { answer = $0 }
        try wait { answer != nil }
        return try #require(answer)
    }

    /// Makes this connection a monitor of the bus, which has no name, and makes no calls.
    func monitor() throws {
        var isMonitor = false
        try bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Monitoring", "BecomeMonitor",
            arguments: { message throws(BusError) in
                try message.append([String](), type: "s")
                try message.append(UInt32(0))
            }, reply: { if case .success = $0 { isMonitor = true } })
        try wait { isMonitor }
    }

    /// Calls, and does not wait.
    func begin(
        _ path: String, _ interface: String?, _ member: String,
        _ arguments: (BusMessage) throws(BusError) -> Void = { _ in },
        answer: @escaping (Result<BusMessage, BusError>) -> Void
    ) throws {
        try bus.call(
            SecretServiceNames.bus, path, interface.map { "org.freedesktop." + $0 }, member, arguments: arguments,
            reply: answer)
    }

    func wait(for condition: () -> Bool) throws {
        try #require(try loop.run(until: condition, patience: Self.patience))
    }

    /// Opens a session without encryption; returns its path.
    func session() throws -> String {
        let answer = try call(SecretServiceNames.root, "Secret.Service", "OpenSession") { message throws(BusError) in
            try message.append("plain")
            try message.write("v", of: "s") { () throws(BusError) in try message.append("") }
        }.get()
        try answer.skip("v")
        return try answer.readString(type: "o")
    }

    /// Makes an item; its path.
    func make(_ attributes: [String: String], in collection: String = "login", session: String) throws -> String {
        try create(attributes, in: collection, session: session).item
    }

    func create(
        _ attributes: [String: String], in collection: String = "login", session: String, replaces: Bool = false
    ) throws -> (item: String, prompt: String) {
        let path = SecretPath.collection(token: collection).text
        let answer = try call(path, "Secret.Collection", "CreateItem") { message throws(BusError) in
            try message.write("a", of: "{sv}") { () throws(BusError) in
                try message.append("org.freedesktop.Secret.Item.Attributes", .attributes(attributes))
            }
            try message.write("r", of: "oayays") { () throws(BusError) in
                try message.append(session, type: "o")
                try message.append(bytes: [])
                try message.append(bytes: Array("s3cr3t".utf8))
                try message.append("text/plain")
            }
            try message.append(replaces)
        }.get()
        return (try answer.readString(type: "o"), try answer.readString(type: "o"))
    }

    /// Makes a collection; its path.
    func makeCollection(_ label: String) throws -> String {
        let answer = try call(SecretServiceNames.root, "Secret.Service", "CreateCollection") {
            message throws(BusError) in
            try message.write("a", of: "{sv}") { () throws(BusError) in
                try message.append("org.freedesktop.Secret.Collection.Label", .text(label))
            }
            try message.append("")
        }.get()
        return try answer.readString(type: "o")
    }

    func search(_ attributes: [String: String]) throws -> (unlocked: [String], locked: [String]) {
        let answer = try call(SecretServiceNames.root, "Secret.Service", "SearchItems") { message throws(BusError) in
            try message.append(attributes)
        }.get()
        return (
            try answer.readStrings(type: "o", limit: .max), try answer.readStrings(type: "o", limit: .max)
        )
    }

    /// The paths in the answer of GetSecrets.
    func secrets(_ paths: [String], _ session: String) throws -> [String] {
        let answer = try call(SecretServiceNames.root, "Secret.Service", "GetSecrets") { message throws(BusError) in
            try message.append(paths, type: "o")
            try message.append(session, type: "o")
        }.get()
        var found: [String] = []
        _ = try answer.read("a", of: "{o(oayays)}") { () throws(BusError) in
            while let path = try answer.read(
                "e", of: "o(oayays)",
                { () throws(BusError) -> String in
                    let path = try answer.readString(type: "o")
                    try answer.skip("(oayays)")
                    return path
                })
            {
                found.append(path)
            }
        }
        return found
    }

    /// Those that are locked then.
    func lock(_ paths: [String]) throws -> [String] {
        let answer = try call(SecretServiceNames.root, "Secret.Service", "Lock") { message throws(BusError) in
            try message.append(paths, type: "o")
        }.get()
        return try answer.readStrings(type: "o", limit: .max)
    }

    func unlock(_ paths: [String]) throws -> (unlocked: [String], prompt: String) {
        let answer = try call(SecretServiceNames.root, "Secret.Service", "Unlock") { message throws(BusError) in
            try message.append(paths, type: "o")
        }.get()
        return (try answer.readStrings(type: "o", limit: .max), try answer.readString(type: "o"))
    }

    /// Waits for the end of a prompt; of another than one of Unlock there are no paths.
    func completed(_ prompt: String) throws -> (isDismissed: Bool, paths: [String]) {
        func isMeant(_ signal: BusMessage) -> Bool { signal.member == "Completed" && signal.path == prompt }
        try wait { signals.contains(where: isMeant) }
        let signal = try #require(signals.first(where: isMeant))
        let isDismissed = try signal.readBool()
        let paths = try? signal.read("v", of: "ao") { () throws(BusError) in
            try signal.readStrings(type: "o", limit: .max)
        }
        return (isDismissed, (paths ?? nil) ?? [])
    }

    /// Sets a property of the interface `org.freedesktop.` and the beginning of the name.
    func set(
        _ name: String, _ value: PropertyValue, of path: String, _ interface: String
    ) throws -> Result<BusMessage, BusError> {
        try call(path, "DBus.Properties", "Set") { message throws(BusError) in
            try message.append("org.freedesktop." + interface)
            try message.append(name)
            try value.append(to: message)
        }
    }

    /// Reads a property of the interface `org.freedesktop.` and the beginning of the name.
    func property<Value>(
        _ name: String, of path: String, _ interface: String, _ signature: String,
        _ read: (BusMessage) throws(BusError) -> Value
    ) throws -> Value {
        let answer = try call(path, "DBus.Properties", "Get") { message throws(BusError) in
            try message.append("org.freedesktop." + interface)
            try message.append(name)
        }.get()
        return try #require(try answer.read("v", of: signature) { () throws(BusError) in try read(answer) })
    }
}
