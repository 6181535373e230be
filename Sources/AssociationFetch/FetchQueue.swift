// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// Who waits for a fetch, in the order of asking, and what is under way: the one place that limits either.
///
/// A client has one query at a time. A query does not say for which app it is, so that no app has a share of the places.
package struct FetchQueue: Sendable {
    /// A client of the server, by its descriptor.
    package typealias Client = Int32

    private let places: Int
    private var waiting: [(client: Client, query: AssociationQuery)] = []
    private var underWay: [FetchID: Client] = [:]

    /// - Parameter places: how many may be under way at a time.
    package init(places: Int = Limits.associationFetches) { self.places = places }

    package mutating func add(_ query: AssociationQuery, of client: Client) { waiting.append((client, query)) }

    /// Begins what there is a place for.
    package mutating func fill(_ begin: (AssociationQuery) -> FetchID) {
        while underWay.count < places, !waiting.isEmpty {
            let (client, query) = waiting.removeFirst()
            underWay[begin(query)] = client
        }
    }

    /// A fetch has ended: whose it was.
    package mutating func finish(_ id: FetchID) -> Client? { underWay.removeValue(forKey: id) }

    /// A client has gone: what is to be ended for it.
    package mutating func leave(_ client: Client) -> FetchID? {
        waiting.removeAll { $0.client == client }
        guard let id = underWay.first(where: { $0.value == client })?.key else { return nil }
        underWay[id] = nil
        return id
    }
}
