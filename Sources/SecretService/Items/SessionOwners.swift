// SPDX-License-Identifier: Apache-2.0

/// Whose items of the collection `session` a connection may see: the program's; of a script, whose interpreter anybody may start for
/// it, and where the connection may be shared, this connection's alone, with which they end.
struct SessionOwners {
    /// By each program that had the connection, as determined at its first use: a program that starts another one later keeps
    /// its items.
    private var owners: [String: SessionItems.Owner] = [:]

    mutating func owner(of app: String, on connection: String, isShared: Bool) -> SessionItems.Owner {
        if let owner = owners[app] { return owner }
        let isOfConnection = isShared || app.hasPrefix("script.")
        let owner = SessionItems.Owner(app: app, connection: isOfConnection ? connection : nil)
        owners[app] = owner
        return owner
    }

    /// Those whose items end with the connection.
    var ofConnection: [SessionItems.Owner] { owners.values.filter { $0.connection != nil } }
}
