// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SecretService

@Suite("What is concluded from the sockets that a caller holds")
struct ConnectionEvidenceTests {
    private func evidence(
        names: Int, unnamed: Int = 0, own: Set<UInt32> = [], others: Set<UInt32> = []
    ) -> ConnectionEvidence {
        ConnectionEvidence(names: names, unnamed: unnamed, own: own, others: others)
    }

    @Test("A program that has made as many sockets as it has names has made all of them")
    func own() {
        #expect(evidence(names: 1, own: [1]).verdict == .own)
        #expect(evidence(names: 2, own: [1, 2], others: [3]).verdict == .own)
        #expect(evidence(names: 1, own: [1, 2]).verdict == .own, "a forked child, with one of its parent's")
    }

    @Test("A name without a socket is another program's, whether or not this one has connected too")
    func foreign() {
        #expect(evidence(names: 1).verdict == .foreign)
        #expect(evidence(names: 2, own: [1]).verdict == .foreign)
        #expect(evidence(names: 2, unnamed: 5, own: [1]).verdict == .foreign)
        #expect(evidence(names: 3, own: [1], others: [2]).verdict == .foreign)
    }

    @Test("A socket that the program may have inherited does not count as made by it")
    func inherited() {
        #expect(evidence(names: 1, others: [1]).verdict == .held)
        #expect(evidence(names: 2, own: [1], others: [2]).verdict == .held)
    }

    @Test("While a connection of the bus has no name, a socket does not prove a name")
    func unnamed() {
        let starting = evidence(names: 1, unnamed: 1, own: [1])
        #expect(starting.verdict == .unsettled && starting.settled == .own)
        let inherited = evidence(names: 1, unnamed: 1, others: [1])
        #expect(inherited.verdict == .unsettled && inherited.settled == .held)
        #expect(evidence(names: 1, unnamed: 1, own: [1, 2]).verdict == .own)
        #expect(evidence(names: 1, unnamed: 1, own: [1]).isSame(as: evidence(names: 1, unnamed: 3, own: [1])))
        #expect(!evidence(names: 1, own: [1]).isSame(as: evidence(names: 1, own: [2])))
    }
}
