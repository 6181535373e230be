// SPDX-License-Identifier: Apache-2.0
import Systemd

extension BlockingBus {
    /// Starts the service of a name where the bus can; its unique name, which no other process can acquire, and its process.
    func startedOwner(of name: String) throws(BusError) -> (owner: String, process: UInt32) {
        _ = try ask("StartServiceByName") { message throws(BusError) in
            try message.append(name)
            try message.append(UInt32(0))
        }
        let owner = try ask("GetNameOwner") { message throws(BusError) in try message.append(name) }.readString()
        let process = try ask("GetConnectionUnixProcessID") { message throws(BusError) in try message.append(owner) }
        return (owner, try process.readUInt32())
    }

    private func ask(
        _ member: String, arguments: (BusMessage) throws(BusError) -> Void
    ) throws(BusError) -> BusMessage {
        let name = "org.freedesktop.DBus"
        return try call(name, "/org/freedesktop/DBus", name, member, arguments: arguments)
    }

    /// The address of a bus that listens at a path. D-Bus specification, "Server Addresses".
    static func address(ofSocket path: String) -> String {
        let path = path.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-_/.".contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "unix:path=" + path.joined()
    }
}

extension ProcessEnvironment {
    /// The address of the user's bus.
    var sessionBus: String {
        self["DBUS_SESSION_BUS_ADDRESS"] ?? BlockingBus.address(ofSocket: (self["XDG_RUNTIME_DIR"] ?? "") + "/bus")
    }
}
