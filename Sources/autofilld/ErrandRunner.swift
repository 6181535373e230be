// SPDX-License-Identifier: Apache-2.0
internal import AssociationSocket
internal import AutofillServer
internal import AutofillService

/// Does what requests wait for, and tells the broker what came of it.
struct ErrandRunner: Sendable {
    let server: SocketServer
    let associations: AssociationAsker

    /// Runs until there are no more orders, or the task is cancelled.
    func run(_ orders: AsyncStream<ErrandOrder>) async {
        await withDiscardingTaskGroup { group in
            for await order in orders {
                // A site that is being asked is asked to the end, though nobody waits for it any more: the answer is kept.
                guard case .start(.association(let query)) = order else { continue }
                group.addTask {
                    let report = await associations.report(on: query)
                    // Given up because the daemon ends: that says nothing of the site.
                    guard !Task.isCancelled else { return }
                    try? await server.perform { $0.conclude(query, with: report) }
                }
            }
            group.cancelAll()
        }
    }
}
