// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import NIOCore
internal import NIOPosix

/// Asks `autofill-associations` over its socket, a connection a query. The daemon has no other way to the network.
package struct AssociationAsker: Sendable {
    private let socket: String?

    /// - Parameter socket: nil where there is none: then nothing is ever heard.
    package init(socket: String?) { self.socket = socket }

    /// What became of it; never waits longer than a request may wait for it.
    package func report(on query: AssociationQuery) async -> AssociationReport {
        guard let socket else { return .unavailable(query, "this autofilld runs without autofill-associations") }
        let asked = await withTaskGroup(of: AssociationReport?.self) { group in
            group.addTask { try? await Self.ask(query, at: socket) }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(Limits.associationWaitMilliseconds - 1000))
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let asked, asked.domain.utf8.elementsEqual(query.domain.utf8), asked.mode == query.mode else {
            return .unavailable(query, "no answer on \(socket)")
        }
        return asked
    }

    private static func ask(_ query: AssociationQuery, at socket: String) async throws -> AssociationReport? {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: socket) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: query.line))
            var answer = AssociationAnswer()
            for try await bytes in inbound {
                if let report = try answer.take(bytes.readableBytesView) { return report }
            }
            return nil
        }
    }
}
