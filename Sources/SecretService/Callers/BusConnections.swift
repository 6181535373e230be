// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import PeerInspection
internal import Systemd

/// Whether the connections that the bus states as a process's are still its own: a process that has connected may pass
/// the connection on and execute another program, for which it would then pass.
final class BusConnections {
    enum Finding: Hashable {
        /// They are its present program's own.
        case own
        /// It holds them, and may have inherited them from a program that still uses them.
        case shared
        /// It does not hold one of them.
        case foreign
    }

    private let loop: EventLoop
    private let bus: Bus
    private let names: BusNames
    private let pool: WorkerPool

    init(_ bus: Bus, on loop: EventLoop) {
        (self.loop, self.bus) = (loop, bus)
        names = BusNames(bus, on: loop)
        pool = WorkerPool(on: loop)
    }

    /// Inspects the connections of a process that has the connection of a name.
    ///
    /// What is found holds for as long as the process runs the program that it runs now: no other program can pass on a
    /// socket that this one has made.
    func inspect(_ name: String, of process: CallerProcess) async throws(BusError) -> Finding {
        var (inspections, pause) = (ConnectionInspections(), 1)
        while true {
            guard let evidence = try await inspectOnce(name, of: process) else { return .own }
            if let finding = inspections.finding(evidence, at: now) { return finding }
            let isComplete = evidence.verdict == .unsettled ? try await names.areComplete() : false
            inspections.note(evidence, isComplete: isComplete)
            if !isComplete { try await wait(milliseconds: pause) }
            pause = min(2 * pause, 16)
        }
    }

    private var now: Instant { loop.clocks.monotonic() }

    private func wait(milliseconds: Int) async throws(BusError) {
        let end = now + .milliseconds(milliseconds)
        do throws(WaitFailure) { try await Wait<Void>(on: loop).value(until: end) } catch {
            if error != .deadline { throw .failed("The call was cancelled") }
        }
    }

    /// nil for a process whose sockets are not listed here.
    private func inspectOnce(
        _ name: String, of process: CallerProcess
    ) async throws(BusError) -> ConnectionEvidence? {
        // What is on both lists had its socket when the sockets were listed in between.
        let before = try await names.list()
        let (sockets, number) = (BusSockets(connectedBy: bus.descriptor), Int32(bitPattern: process.process))
        let holding = try await run { () throws(BusSockets.Failure) in try sockets.holding(of: number) }
        let both = before.intersection(try await names.list())
        guard process.isAlive, both.contains(name) else { throw .denied("The caller has left the bus") }
        guard let holding else { return nil }
        return ConnectionEvidence(
            names: try await names.count(of: process.process, among: both),
            unnamed: max(0, holding.connections - both.count), own: Set(holding.own), others: Set(holding.others))
    }

    private func run<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(BusSockets.Failure) -> Answer
    ) async throws(BusError) -> Answer {
        let found: Result<Answer, BusSockets.Failure>
        do throws(WaitFailure) {
            found = try await pool.run(
                .files, deadline: .milliseconds(BridgeLimits.connectionMilliseconds),
                { Result { () throws(BusSockets.Failure) in try body() } })
        } catch { throw .failed("The caller's connection could not be inspected in time") }
        do throws(BusSockets.Failure) { return try found.get() } catch {
            switch error {
            case .noProcess: throw .denied("The caller's process has ended, or may not be inspected")
            case .notListed(let code):
                throw .denied(
                    "The kernel does not list the sockets of the bus (sock_diag, error \(code)). "
                        + "Load its module unix_diag, and permit AF_NETLINK to autofill-secrets")
            }
        }
    }
}
