// SPDX-License-Identifier: Apache-2.0

/// What one inspection has found about the connections that the bus states to be those of one process.
///
/// The bus does not state which socket is which connection. But each name belongs to one socket: if the process's present
/// program has made as many sockets as the bus states names, each of these names is one of its own. A connection that
/// the process made before it executed this program has a name, and no such socket.
struct ConnectionEvidence: Hashable {
    /// How many names the bus states as the process's.
    let names: Int
    /// How many connections may have no name: they have not said Hello yet, or are monitors. Some of the process's sockets
    /// may be among them.
    let unnamed: Int
    /// The sockets that the process's present program has made, by their inodes.
    let own: Set<UInt32>
    /// Other sockets that it holds. A former program of the process may have made them, and may still use them.
    let others: Set<UInt32>

    enum Verdict: Hashable {
        /// Its present program has made all of them.
        case own
        /// It holds all of them, and may have inherited some.
        case held
        /// As `own` or `held`, unless one of the sockets has no name.
        case unsettled
        /// It does not hold one of them.
        case foreign
    }

    var verdict: Verdict {
        let all = own.union(others)
        if own.count >= names + unnamed { return .own }
        if own.count >= names { return .unsettled }
        if all.count >= names + unnamed { return .held }
        return all.count >= names ? .unsettled : .foreign
    }

    /// The verdict if all sockets have names.
    var settled: Verdict { own.count >= names ? .own : verdict == .unsettled ? .held : verdict }

    /// Whether the process holds the same as before.
    func isSame(as other: Self) -> Bool { own == other.own && others == other.others }
}
