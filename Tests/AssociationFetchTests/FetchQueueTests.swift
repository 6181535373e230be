// SPDX-License-Identifier: Apache-2.0
import AssociationFetch
import AutofillProtocol
import Testing

@Suite("Clients that wait for a fetch")
struct FetchQueueTests {
    private func query(_ name: String) -> AssociationQuery {
        AssociationQuery(domain: "\(name).example", mode: .standard)
    }

    @Test("As many fetches run as there are slots, in order; a client that leaves frees its slot")
    func slots() throws {
        let fetcher = try AssociationFetcher()
        var queue = FetchQueue(slots: 2)
        var begun: [(name: String, id: FetchID)] = []
        func fill() {
            queue.fill { query in
                // No full name of a host: nothing is sent.
                let id = fetcher.begin(AssociationQuery(domain: "localhost", mode: .standard))
                begun.append((query.domain, id))
                return id
            }
        }
        for (client, name) in ["a", "b", "c", "d", "e"].enumerated() { queue.add(query(name), of: Int32(client)) }
        fill()
        #expect(begun.map(\.name) == ["a.example", "b.example"])
        #expect(queue.finish(begun[0].id) == 0)
        #expect(queue.finish(begun[0].id) == nil)
        // One that waits and one that is under way.
        #expect(queue.leave(3) == nil)
        #expect(queue.leave(1) == begun[1].id)
        fill()
        #expect(begun.map(\.name) == ["a.example", "b.example", "c.example", "e.example"])
        #expect(queue.finish(begun[1].id) == nil)
    }
}
