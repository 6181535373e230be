// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// The connections that wait for the inspection of their peers, by process. Those of all processes in sandboxes together
/// are no more than one sandboxed app may have open: it is not known yet whose they are.
struct WaitingPeers {
    /// How many peers of one process outside any sandbox are inspected in one work item; in one each has its own, which
    /// may take long.
    private static let batch = 64

    /// A process has an entry while one of its connections is inspected.
    private var byProcess: [Int32: Queue<Int32>] = [:]
    /// Those of processes in sandboxes, until their inspections have ended.
    private var sandboxed: Set<Int32> = []

    var isEmpty: Bool { byProcess.isEmpty }

    /// - Parameter quota: how many connections of one process may wait.
    /// - Returns: whether it waits as the first of its process; nil where too many wait.
    mutating func append(_ descriptor: Int32, of process: Int32, isSandboxed: Bool, quota: Int) -> Bool? {
        let isFirst = byProcess[process] == nil
        guard byProcess[process, default: Queue()].count < quota,
            !isSandboxed || sandboxed.count < Limits.connectionsPerSandbox
        else { return nil }
        byProcess[process, default: Queue()].append(descriptor)
        if isSandboxed { sandboxed.insert(descriptor) }
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
    mutating func end(_ descriptor: Int32) { sandboxed.remove(descriptor) }
}
