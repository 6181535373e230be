// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// The connections that wait for the inspection of their peers, by process. Those of the processes in sandboxes whose
/// systemd units are named after one app, or that are of one unit, are no more than one sandboxed app may have open: it is
/// not known yet whose they are, and a program in a sandbox does not choose that name.
struct WaitingPeers {
    /// How many peers of one process outside any sandbox are inspected in one work item; in one each has its own, which
    /// may take long.
    private static let batch = 64

    /// A process has an entry while one of its connections is inspected.
    private var byProcess: [Int32: Queue<Int32>] = [:]
    /// The units of those of processes in sandboxes, until their inspections have ended, and how many each has.
    private var units: [Int32: String] = [:]
    private var byUnit: [String: Int] = [:]

    var isEmpty: Bool { byProcess.isEmpty }

    /// - Parameter quota: how many connections of one process may wait.
    func mayWait(_ process: Int32, quota: Int) -> Bool { (byProcess[process]?.count ?? 0) < quota }

    /// - Parameter unit: what the unit of a process in a sandbox is named after, empty where it has none; nil of one outside.
    /// - Returns: whether it waits as the first of its process; nil where too many of its unit wait.
    mutating func append(_ descriptor: Int32, of process: Int32, sandboxedIn unit: String?) -> Bool? {
        let isFirst = byProcess[process] == nil
        guard unit.map({ byUnit[$0, default: 0] < Limits.connectionsPerSandbox }) ?? true else { return nil }
        byProcess[process, default: Queue()].append(descriptor)
        if let unit {
            units[descriptor] = unit
            byUnit[unit, default: 0] += 1
        }
        return isFirst
    }

    /// The next ones to be inspected; nil where none waits, and then the process has no entry any more.
    mutating func take(of process: Int32, isSandboxed: Bool) -> [Int32]? {
        let limit = isSandboxed ? 1 : Self.batch
        var batch: [Int32] = []
        while batch.count < limit, let next = byProcess[process]?.popFirst() { batch.append(next) }
        guard batch.isEmpty else { return batch }
        byProcess[process] = nil
        return nil
    }

    /// The inspection has ended.
    mutating func end(_ descriptor: Int32) {
        guard let unit = units.removeValue(forKey: descriptor), let count = byUnit[unit] else { return }
        byUnit[unit] = count > 1 ? count - 1 : nil
    }
}
