// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import Glibc
import SecretMemory

/// An import that the daemon has, and that is not committed.
struct StagedImport {
    private let session: AutofillSession
    private let progress: Console?
    private(set) var source = ""
    private(set) var count = 0
    private(set) var notImported: [NotImported] = []

    /// - Parameter progress: where the number of entries is printed; nil for nowhere.
    init(_ session: AutofillSession, _ proof: Proof, progress: Console?) async throws(CommandFailure) {
        (self.session, self.progress) = (session, progress)
        _ = try await session.call(ImportBegin(proof: proof))
    }

    /// Adds the records of a descriptor, to its end.
    mutating func add(recordsFrom descriptor: Int32) async throws(CommandFailure) {
        var stream = RecordStream(descriptor)
        var (batch, bytes): ([ImportedEntry], Int) = ([], 0)
        var isComplete = false
        var next = ContinuousClock.now + .seconds(1)
        while let record = try stream.next() {
            switch record {
            case .header(let source): self.source = source
            case .end: isComplete = true
            case .notImported(let record): notImported.append(record)
            case .entry(let entry, let length):
                if bytes + length > RecordStream.longest || batch.count == Limits.listLimit {
                    try await send(batch)
                    (batch, bytes) = ([], 0)
                }
                batch.append(entry)
                bytes += length + 1
                if ContinuousClock.now >= next, let progress, progress.isTerminal {
                    progress.printError("\(count.counted("entry", "entries")) read")
                    next = .now + .seconds(1)
                }
            }
        }
        guard isComplete else {
            throw CommandFailure(.badData, "The records of the file are incomplete; nothing was imported")
        }
        if !batch.isEmpty { try await send(batch) }
    }

    private mutating func send(_ batch: [ImportedEntry]) async throws(CommandFailure) {
        count = try await session.call(ImportAdd(entries: batch)).count
    }

    /// Compares the entries with the vault.
    func review() async throws(CommandFailure) -> ReviewedImport {
        let call = ImportReview(page: PageRequest(limit: Limits.listLimit))
        let first = try await session.call(call, showingProgressOn: progress)
        var (findings, cursor) = (first.findings, first.next)
        while let next = cursor {
            let call = ImportReview(page: PageRequest(limit: Limits.listLimit, cursor: next))
            let page = try await session.call(call)
            findings += page.findings
            cursor = page.next
        }
        let remarks = findings.filter { $0.component != nil }.map(NotImported.init)
        return ReviewedImport(
            source: source, counts: first, conflicts: findings.filter { $0.component == nil },
            notImported: notImported + remarks)
    }

    func commit(
        _ rule: ImportCommit.Rule, choices: [ImportChoice], _ proof: Proof
    ) async throws(CommandFailure) -> ImportCommit.Answer {
        try await session.call(
            ImportCommit(conflicts: rule, choices: choices, proof: proof), showingProgressOn: progress)
    }
}

/// What an import would do.
struct ReviewedImport {
    let source: String
    let counts: ImportReview.Answer
    let conflicts: [ImportFinding]
    let notImported: [NotImported]

    var isEmpty: Bool { counts.new == 0 && counts.conflicts == 0 }
}
