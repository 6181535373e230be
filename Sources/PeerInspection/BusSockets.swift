// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import PathInspection
internal import PeerIdentity

/// Which processes hold the connections to a bus, as the kernel lists them (sock_diag, `/proc/PID/fd`). The bus itself
/// states only which process has connected: that one may have passed the connection on, and have executed another
/// program since.
///
/// Needs no privilege, and waits for no file system's server. The time depends on how many sockets there are: it should
/// not run on an event loop.
package struct BusSockets: Sendable {
    /// More than that are not listed.
    private static let mostConnections = 16_384
    private static let mostDescriptors = 65_536

    private let socket: Int32

    /// - Parameter socket: a connection of this process to the bus, open for as long as this is used.
    package init(connectedBy socket: Int32) { self.socket = socket }

    /// Why nothing is known.
    package enum Failure: Error, Hashable, Sendable {
        /// The kernel does not list sockets, or not those of this bus: the error number.
        case notListed(Int32)
        /// The process has ended, or may not be inspected.
        case noProcess
    }

    /// What a process holds.
    package struct Holding: Hashable, Sendable {
        /// How many connections the bus has, with those whose client has closed its end.
        package let connections: Int
        /// Those that its present program has made: they would have been closed when that was executed.
        package let own: [UInt32]
        /// The others: a former program of the process may have made them, and passed them on.
        package let others: [UInt32]
    }

    /// What a process holds; nil if it is in another network namespace, whose sockets are not listed here. Only root can
    /// put it there without a user namespace of its own.
    package func holding(of process: Int32) throws(Failure) -> Holding? {
        let directory: ProcessDirectory
        do throws(PeerRefusal) { directory = try ProcessDirectory(process: process) } catch { throw .noProcess }
        guard let namespace = directory.namespace("net") else { throw .noProcess }
        guard namespace == ProcessDirectory.namespace("net", at: "/proc/self") else { return nil }
        let (clients, connections) = try list()
        guard let held = Self.held(directory, among: clients) else { throw .noProcess }
        return Holding(
            connections: connections, own: held.filter(\.closes_on_exec).map(\.socket),
            others: held.filter { !$0.closes_on_exec }.map(\.socket))
    }

    /// When a process has started; nil if it has ended.
    package static func startTime(of process: Int32) -> UInt64? {
        (try? ProcessDirectory(process: process))?.content(of: "stat").flatMap(ProcessStatus.startTime)
    }

    private func list() throws(Failure) -> (clients: [UInt32], connections: Int) {
        var connections = 0
        var count = 0
        let clients = [UInt32](unsafeUninitializedCapacity: Self.mostConnections) { buffer, length in
            count = af_fellow_clients(socket, buffer.baseAddress, buffer.count, &connections)
            length = max(0, count)
        }
        guard count >= 0 else { throw .notListed(Int32(clamping: -count)) }
        return (clients, connections)
    }

    /// nil where that cannot be read.
    private static func held(_ directory: ProcessDirectory, among sockets: [UInt32]) -> [af_held_socket]? {
        var count = 0
        let held = [af_held_socket](unsafeUninitializedCapacity: max(1, sockets.count)) { buffer, length in
            count = af_held_sockets(
                directory.descriptor.number, sockets, sockets.count, buffer.baseAddress, mostDescriptors)
            length = max(0, count)
        }
        return count >= 0 ? held : nil
    }
}
