// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import PeerInspection
import Testing

/// What identity may cost (microseconds, median): a measurement, not a test of every machine.
@Suite(
    .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["AUTOFILL_BENCH"] == "1", "a measurement: set AUTOFILL_BENCH=1"))
struct InspectionCostTests {
    @Test("An inspection costs at most 300 µs, a confirmation at most 10 µs", arguments: KernelPath.allCases)
    func cost(kernel: KernelPath) throws {
        let listener = try TestListener()
        let peer = try listener.start(try listener.fixture())
        let inspector = kernel.inspector()
        let inspected = try inspector.inspect(peer.connection)
        let inspection = try median(of: 501) { _ = try inspector.inspect(peer.connection) }
        let confirmation = try median(of: 2001) { try inspected.confirm() }
        #expect(inspection <= .microseconds(300))
        #expect(confirmation <= .microseconds(10))
    }

    private func median(of count: Int, _ body: () throws -> Void) rethrows -> Duration {
        let clock = ContinuousClock()
        return try (0..<count).map { _ in try clock.measure(body) }.sorted()[count / 2]
    }
}
