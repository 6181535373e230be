// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import Glibc
internal import PathInspection

/// Carries files between the spool and a git remote, by the `git` program: a branch for each device.
package struct GitCarrier {
    private let own: CarrierConfiguration.Own?
    private let spool: SpoolDirectory
    private let repository: GitRepository
    private var received: ReceivedFiles
    /// The objects of files of this machine; in this process they were in the outbox.
    private var stored: [String: (facts: FileFacts, blob: String)] = [:]
    /// The files of commits.
    private var entries: [String: [GitRepository.Entry]] = [:]
    private var lost: LostFiles
    private(set) var expectsAnswer = false

    /// - Parameter own: nil: only invitations are brought.
    package init(location: GitLocation, own: CarrierConfiguration.Own?, spool: SpoolDirectory) {
        (self.own, self.spool) = (own, spool)
        repository = GitRepository(at: spool.repository, location: location)
        received = ReceivedFiles(spool)
        lost = LostFiles(spool)
    }

    /// Fetches, brings what others have written, and pushes what this machine wants to have there.
    ///
    /// - Parameter now: milliseconds since 1970.
    package mutating func round(at now: Int64) -> RoundOutcome {
        var outcome = RoundOutcome()
        var problems: [RoundProblem] = []
        do throws(GitFailure) {
            let outgoing = try readOutgoing()
            outcome.waiting = outgoing?.files.count ?? 0
            expectsAnswer = outgoing?.hasInvitation ?? (own == nil)
            try repository.prepare()
            try repository.fetch(own?.group)
            let branches = try repository.fetchedBranches(own?.group)
            try readEntries(of: branches)
            let update = bring(branches, outgoing, at: now)
            outcome.hasChanged = update.hasChanged
            problems += update.problems
            if let own, let outgoing {
                let before = branches.first { ($0.group, $0.device) == (own.group, own.device) }?.commit
                outcome.waiting = noteMissing(from: before, of: outgoing)
                if try push(outgoing, own, over: before) {
                    if outcome.waiting > 0, problems.isEmpty { spool.markComplete(at: now) }
                    outcome.waiting = 0
                    for name in outgoing.files.keys { lost.write(name, at: now) }
                    outcome.restored = lost.takeRestored()
                } else {
                    problems.append(
                        RoundProblem(.gitRejected, "another machine has pushed to this machine's branch"))
                }
            }
        } catch {
            problems.append(RoundProblem(.gitFailed, error.summary))
        }
        outcome.problem = RoundProblem.first(of: problems)
        return outcome
    }

    private func readOutgoing() throws(GitFailure) -> OutgoingFiles? {
        guard let own else { return nil }
        do throws(SystemCallFailure) {
            return try spool.readOutgoing(own)
        } catch {
            throw GitFailure(text: "the spool of autofilld cannot be read: \(error.message)")
        }
    }

    private mutating func readEntries(of branches: [GitRepository.Branch]) throws(GitFailure) {
        var read: [String: [GitRepository.Entry]] = [:]
        let ofOwn = branches.filter { ($0.group, $0.device) == (own?.group, own?.device) }
        for branch in ofOwn + branches.prefix(CarrierLimits.directories) {
            let cached = entries[branch.commit]
            read[branch.commit] = if let cached { cached } else { try repository.entries(of: branch.commit) }
        }
        entries = read
    }

    private mutating func bring(
        _ branches: [GitRepository.Branch], _ outgoing: OutgoingFiles?, at now: Int64
    ) -> (hasChanged: Bool, problems: [RoundProblem]) {
        var listing = CarriedListing()
        for branch in branches.prefix(CarrierLimits.directories) {
            var directory = CarriedDirectory(group: branch.group, device: branch.device, descriptor: nil)
            for entry in entries[branch.commit] ?? [] where own != nil || entry.name.isInvitation {
                directory.add(entry.name, CarriedSource(text: entry.blob, byteCount: entry.byteCount))
            }
            listing.add(directory)
        }
        listing.checkSize()
        if branches.count > CarrierLimits.directories {
            listing.stop(.tooManyFiles, "the remote has more than \(CarrierLimits.directories) branches")
        }
        if let own {
            listing.remove(outgoing?.files.keys.map { $0 } ?? [], of: own)
            listing.remove(stored.keys, of: own)
        }
        let repository = repository
        // A settled file of this machine is not in the next commit.
        let update = received.update(
            from: listing, own: own, at: now,
            opening: { _, source throws(OpeningFailure) in
                do throws(GitFailure) { return try repository.open(source.text) } catch { throw .git(error) }
            }, discarding: { _, _ in false })
        return (update.hasChanged, listing.problems + update.problems)
    }

    // MARK: - This machine's branch

    /// - Returns: how many files the branch does not have.
    private mutating func noteMissing(from commit: String?, of outgoing: OutgoingFiles) -> Int {
        let present = Set((commit.flatMap { entries[$0] } ?? []).map(\.name.text))
        let missing = outgoing.files.filter { !present.contains($0.key) }
        for (name, facts) in missing { lost.note(name, facts) }
        lost.endRound(outgoing.files.keys)
        return missing.count
    }

    /// - Returns: whether the branch is as this machine wants to have it; false: it is a twin's.
    private mutating func push(
        _ outgoing: OutgoingFiles, _ own: CarrierConfiguration.Own, over before: String?
    ) throws(GitFailure) -> Bool {
        let pushed = PushedCommits(in: spool.repository, of: own)
        if let before {
            guard let all = try Self.recording({ () throws(SystemCallFailure) in try pushed.all() }) else {
                // A new spool: what is there is brought first, as what somebody else has written.
                try Self.recording { () throws(SystemCallFailure) in try pushed.add(before) }
                return try push(outgoing, own, over: before)
            }
            guard all.contains(before) else { return false }
        }
        var files = unsettled(in: before, of: own)
        for (name, facts) in outgoing.files {
            if let blob = try object(name, facts, outgoing.directory) { files[name] = blob }
        }
        guard before != nil || !files.isEmpty else { return true }
        let tree = try repository.makeTree(files)
        if let before, try repository.tree(of: before) == tree { return true }
        let commit = try repository.makeCommit(tree)
        try Self.recording { () throws(SystemCallFailure) in try pushed.add(commit) }
        guard try repository.push(commit, to: own, expected: before) == .pushed else { return false }
        // Files that the daemon has removed from the outbox are not in the branch any more.
        stored = stored.filter { outgoing.files[$0.key] != nil }
        return true
    }

    /// The files of this machine's branch that the outbox does not have and the daemon has not settled.
    private func unsettled(in commit: String?, of own: CarrierConfiguration.Own) -> [String: String] {
        let settled = received.settled(of: own)
        var files: [String: String] = [:]
        for entry in commit.flatMap({ entries[$0] }) ?? []
        where !entry.name.isConflictCopy && stored[entry.name.text] == nil && !settled.contains(entry.name.text) {
            files[entry.name.text] = entry.blob
        }
        return files
    }

    /// - Returns: nil where the daemon has removed the file since the directory was read.
    private mutating func object(
        _ name: String, _ facts: FileFacts, _ directory: Descriptor
    ) throws(GitFailure) -> String? {
        if let stored = stored[name], stored.facts == facts { return stored.blob }
        let opened = try Self.recording { () throws(SystemCallFailure) in try directory.plainFile(name) }
        guard let opened else { return nil }
        let blob = try repository.store(opened.file)
        stored[name] = (opened.facts, blob)
        return blob
    }

    private static func recording<Value>(
        _ body: () throws(SystemCallFailure) -> Value
    ) throws(GitFailure) -> Value {
        do throws(SystemCallFailure) {
            return try body()
        } catch {
            throw GitFailure(text: "the spool of autofilld cannot be used: \(error.message)")
        }
    }
}

extension GitFailure {
    /// The first line that states a cause, without git's advice.
    var summary: String {
        guard cause.contains("Permission denied") else { return cause }
        return "\(cause.prefix(120)); for what is in your home outside ~/.ssh: autofill-sync(8), --read"
    }

    private var cause: String {
        let lines = text.split(separator: "\n").map(String.init)
        let causes = lines.filter { !$0.hasPrefix("hint:") && !$0.hasPrefix("error: failed to push some refs") }
        return causes.first ?? lines.first ?? "git failed without a message"
    }
}
