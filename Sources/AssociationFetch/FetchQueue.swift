// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// The clients that wait for a fetch, in order, and the running fetches: both are limited here.
///
/// A client has one query at a time. A query does not name its app, so there is no quota for apps.
package struct FetchQueue: Sendable {
    /// A client of the server, by its descriptor.
    package typealias Client = Int32

    private let slots: Int
    private var waiting: [(client: Client, query: AssociationQuery)] = []
    private var underWay: [FetchID: Client] = [:]

    /// - Parameter slots: how many may be under way at a time.
    package init(slots: Int = Limits.associationFetches) { self.slots = slots }

    package mutating func add(_ query: AssociationQuery, of client: Client) { waiting.append((client, query)) }

    /// Begins as many as there are free slots.
    package mutating func fill(_ begin: (AssociationQuery) -> FetchID) {
        while underWay.count < slots, !waiting.isEmpty {
            let (client, query) = waiting.removeFirst()
            underWay[begin(query)] = client
        }
    }

    /// A fetch has ended: returns its client.
    package mutating func finish(_ id: FetchID) -> Client? { underWay.removeValue(forKey: id) }

    /// A client has disconnected: returns the fetch to cancel.
    package mutating func leave(_ client: Client) -> FetchID? {
        waiting.removeAll { $0.client == client }
        guard let id = underWay.first(where: { $0.value == client })?.key else { return nil }
        underWay[id] = nil
        return id
    }
}
