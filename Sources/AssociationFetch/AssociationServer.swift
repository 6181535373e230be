// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Answers queries on a Unix socket, one object a line, each line in its turn; ends when nobody has asked for a while.
package final class AssociationServer: Sendable {
    private let fetcher: AssociationFetcher
    private let idleLimit: Duration
    private let turnstile = Turnstile(places: Limits.associationFetches)
    private let activity = Mutex(Activity())

    private struct Activity {
        var connections = 0
        /// Grows with every connection.
        var count = 0
    }

    /// - Parameter idleLimit: how long the program stays without a connection.
    package init(fetcher: AssociationFetcher, idleLimit: Duration) {
        self.fetcher = fetcher
        self.idleLimit = idleLimit
    }

    /// Serves until nothing has connected for the idle limit, or the task is cancelled.
    ///
    /// - Parameter descriptor: a listening Unix socket.
    package func serve(descriptor: Int32) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(descriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let channel = listener.channel
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                await self.waitUntilIdle()
                try? await channel.close()
            }
            try await listener.executeThenClose { connections in
                for try await connection in connections {
                    self.begin()
                    group.addTask {
                        // A peer that goes away ends its own connection only.
                        try? await self.answer(connection)
                        self.end()
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func begin() {
        activity.withLock { activity in
            activity.connections += 1
            activity.count += 1
        }
    }

    private func end() { activity.withLock { $0.connections -= 1 } }

    private func waitUntilIdle() async {
        var seen = -1
        while true {
            let now = activity.withLock { $0 }
            if now.connections == 0, now.count == seen { return }
            seen = now.count
            guard (try? await Task.sleep(for: idleLimit)) != nil else { return }
        }
    }

    private func answer(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var unread = ByteBuffer()
            var framing = LineFraming(maximumLength: AssociationQuery.lineBytes)
            for try await bytes in inbound {
                unread.writeImmutableBuffer(bytes)
                while true {
                    switch unread.withUnsafeReadableBytes({ framing.next(in: $0) }) {
                    case .line(let length):
                        let line = unread.readBytes(length: length) ?? []
                        unread.moveReaderIndex(forwardBy: 1)
                        try await outbound.write(ByteBuffer(bytes: await report(on: line).line))
                        continue
                    case .needsMore: unread.discardReadBytes()
                    // Who sends that is not the daemon.
                    case .tooLong, .skip: return
                    }
                    break
                }
            }
        }
    }

    private func report(on line: [UInt8]) async -> AssociationReport {
        guard let query = try? AssociationQuery(line: line) else {
            let unreadable = AssociationQuery(domain: "invalid", mode: .standard)
            return AssociationReport(unreadable, failure: FetchFailure(.nameNotAllowed, "The query cannot be read"))
        }
        return await turnstile.pass { await fetcher.report(on: query) }
    }
}
