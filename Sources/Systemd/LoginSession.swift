// SPDX-License-Identifier: Apache-2.0

/// The state of a session in logind.
struct LoginSession {
    var user: UInt32?
    /// LockedHint: desktops that lock the screen by themselves set it.
    var isLocked: Bool?
}

extension BusMessage {
    /// The properties of a session, `a{sv}`.
    func readSession() throws(BusError) -> LoginSession {
        var session = LoginSession()
        _ = try read("a", of: "{sv}") { () throws(BusError) in
            while try read("e", of: "sv", { () throws(BusError) in try readProperty(into: &session) }) != nil {}
        }
        return session
    }

    private func readProperty(into session: inout LoginSession) throws(BusError) {
        switch try readString() {
        case "User":
            _ = try read("v", of: "(uo)") { () throws(BusError) in
                _ = try read("r", of: "uo") { () throws(BusError) in
                    session.user = try readUInt32()
                    try skip("o")
                }
            }
        case "LockedHint":
            session.isLocked = try read("v", of: "b") { () throws(BusError) in try readBool() }
        default: try skip("v")
        }
    }

    /// ListSessions' `a(susso)`: the paths of one user's.
    func readOwnSessions(of user: UInt32) throws(BusError) -> [String] {
        var paths: [String] = []
        _ = try read("a", of: "(susso)") { () throws(BusError) in
            while try read(
                "r", of: "susso",
                { () throws(BusError) -> Void in
                    try skip("s")
                    let isOwn = try readUInt32() == user
                    try skip("ss")
                    let path = try readString(type: "o")
                    if isOwn { paths.append(path) }
                }) != nil
            {}
        }
        return paths
    }

    /// The path in the signal SessionRemoved.
    func readRemovedSession() throws(BusError) -> String {
        try skip("s")
        return try readString(type: "o")
    }
}
