// SPDX-License-Identifier: Apache-2.0
import EventLoop
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

    private func instant(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    @Test(
        "On a busy machine, where each inspection takes long, a program is not taken for one that shares its connection"
    )
    func busy() {
        let (starting, own) = (evidence(names: 1, unnamed: 1, own: [1]), evidence(names: 1, own: [1]))
        for count in 1...4 {
            var inspections = ConnectionInspections()
            for number in 1...count {
                #expect(inspections.finding(starting, at: instant(Int64(number) * 500)) == nil)
                inspections.note(starting, isComplete: false)
            }
            #expect(inspections.finding(own, at: instant(5000)) == .own)
        }
    }

    @Test("Where a connection stays without a name for as long, it is taken for one that shares its connection")
    func staysUnnamed() {
        let starting = evidence(names: 1, unnamed: 1, own: [1])
        func finding(after milliseconds: Int64) -> BusConnections.Finding? {
            var inspections = ConnectionInspections()
            for _ in 0..<BridgeLimits.helloInspections { _ = inspections.finding(starting, at: instant(0)) }
            return inspections.finding(starting, at: instant(milliseconds))
        }
        #expect(finding(after: Int64(BridgeLimits.helloMilliseconds)) == nil)
        #expect(finding(after: Int64(BridgeLimits.helloMilliseconds) + 1) == .shared)
    }

    @Test("What was found before all connections had names is confirmed by the next inspection, unless it differs")
    func confirmed() {
        let starting = evidence(names: 1, unnamed: 1, own: [1])
        var inspections = ConnectionInspections()
        #expect(inspections.finding(starting, at: instant(0)) == nil)
        inspections.note(starting, isComplete: true)
        #expect(inspections.finding(evidence(names: 1, unnamed: 1, own: [2]), at: instant(1)) == nil)
        inspections.note(starting, isComplete: true)
        #expect(inspections.finding(starting, at: instant(2)) == .own)
        var foreign = ConnectionInspections()
        let found = (1...BridgeLimits.contradictions).map {
            foreign.finding(evidence(names: 1), at: instant(Int64($0)))
        }
        #expect(found == [nil, nil, .foreign])
    }
}
