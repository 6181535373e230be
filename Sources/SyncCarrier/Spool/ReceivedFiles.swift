// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
internal import PathInspection

/// `in/`: copies of what the folder has that this machine did not write. An empty one is settled: the daemon needs it no
/// more.
struct ReceivedFiles {
    private enum Bringing {
        case brought
        /// None of its sources has all of it yet.
        case incomplete
        /// It is not known whether one has: it is read again in the next round.
        case unread
    }

    /// Opens one source of an item; nil where it is no plain file any more.
    typealias Opening = (CarriedDirectory, CarriedSource) throws(OpeningFailure) -> Descriptor?
    /// Removes a settled file of this machine from the folder.
    ///
    /// - Returns: whether it is removed: else it is asked again after the next round.
    typealias Discarding = (CarriedDirectory, CarriedItem) -> Bool

    private let spool: SpoolDirectory
    private var incomplete: IncompleteFiles
    private var problems: [RoundProblem] = []
    private var hasChanged = false

    init(_ spool: SpoolDirectory) {
        self.spool = spool
        incomplete = IncompleteFiles(isReported: spool.readReport()?.problem == .incompleteFiles)
    }

    /// Brings what is absent, and removes what the listing does not have.
    mutating func update(
        from listing: CarriedListing, own: CarrierConfiguration.Own?, at now: Int64, opening: Opening,
        discarding: Discarding
    ) -> (hasChanged: Bool, problems: [RoundProblem]) {
        (problems, hasChanged) = ([], false)
        guard listing.isComplete else { return (false, []) }
        do throws(SystemCallFailure) {
            let received = try spool.openReceived()
            for directory in listing.directories where directory.isComplete {
                let isOwn = own.map { ($0.group, $0.device) == (directory.group, directory.device) } ?? false
                try update(directory, in: received, at: now, opening) { isOwn && discarding($0, $1) }
            }
            try removeOthers(than: listing.directories, from: received)
        } catch {
            problems.append(Self.ofSpool(error))
        }
        if let problem = incomplete.endRound(at: now) { problems.append(problem) }
        return (hasChanged, problems)
    }

    /// The names in a device's directory that are settled.
    func settled(of own: CarrierConfiguration.Own) -> Set<String> {
        do throws(SystemCallFailure) {
            let received = try spool.openReceived()
            guard let directory = try received.subdirectory(own.group)?.subdirectory(own.device) else { return [] }
            return Set(try Self.stored(in: directory).filter { $0.value == 0 }.keys)
        } catch {
            return []
        }
    }

    private mutating func update(
        _ directory: CarriedDirectory, in received: Descriptor, at now: Int64, _ opening: Opening,
        _ discarding: Discarding
    ) throws(SystemCallFailure) {
        let target = try received.madeSubdirectory(directory.group).madeSubdirectory(directory.device)
        let stored = try Self.stored(in: target)
        try removePartials(in: target, besides: stored)
        for name in stored.keys.sorted() {
            guard let item = directory.items[name] else {
                try remove(name, from: target)
                continue
            }
            if stored[name] == 0, discarding(directory, item) { try remove(name, from: target) }
        }
        var isBrought = false
        for name in directory.items.keys.sorted() where stored[name] == nil {
            guard let item = directory.items[name] else { continue }
            let path = "\(directory.group)/\(directory.device)/\(name)"
            guard incomplete.mayRead(path, item.sources, at: now) else { continue }
            switch try bring(item, of: directory, to: target, opening) {
            case .brought: isBrought = true
            case .incomplete: incomplete.note(path, item.sources, at: now)
            case .unread: break
            }
        }
        if isBrought {
            hasChanged = true
            try target.synchronize()
        }
    }

    private mutating func bring(
        _ item: CarriedItem, of directory: CarriedDirectory, to target: Descriptor, _ opening: Opening
    ) throws(SystemCallFailure) -> Bringing {
        var isRead = true
        for source in item.sources {
            let opened: Descriptor?
            do throws(OpeningFailure) { opened = try opening(directory, source) } catch {
                problems.append(error.problem(of: item.name))
                isRead = false
                continue
            }
            guard let file = opened else { continue }
            do throws(FileCopyFailure) {
                if try FileCopy.place(file, as: item.name, in: target) != nil { return .brought }
            } catch {
                switch error {
                case .write(let failure): throw failure
                case .read(let failure):
                    problems.append(OpeningFailure.folder(failure).problem(of: item.name))
                    isRead = false
                }
            }
        }
        return isRead ? .incomplete : .unread
    }

    private mutating func remove(_ name: String, from directory: Descriptor) throws(SystemCallFailure) {
        if try directory.removeFile(name) { hasChanged = true }
    }

    /// What a carrier left that ended while it wrote. The daemon has a temporary file only where the name itself exists.
    private func removePartials(
        in directory: Descriptor, besides stored: [String: UInt64]
    ) throws(SystemCallFailure) {
        let partials = try directory.names { name in
            FileCopy.target(ofPartial: name).map { stored[$0.text] == nil } ?? false
        }
        for name in partials { try directory.removeFile(name) }
    }

    /// The directories that the folder does not have.
    private mutating func removeOthers(
        than directories: [CarriedDirectory], from received: Descriptor
    ) throws(SystemCallFailure) {
        let kept = Set(directories.map { $0.group + $0.device })
        for group in try received.identifiers() {
            guard let groupDirectory = try received.subdirectory(group) else { continue }
            for device in try groupDirectory.identifiers() where !kept.contains(group + device) {
                guard let directory = try groupDirectory.subdirectory(device) else { continue }
                try removePartials(in: directory, besides: [:])
                for name in try Self.stored(in: directory).keys { try remove(name, from: directory) }
                groupDirectory.removeDirectory(device)
            }
            received.removeDirectory(group)
        }
    }

    /// The files in a directory of the spool, with their sizes.
    private static func stored(in directory: Descriptor) throws(SystemCallFailure) -> [String: UInt64] {
        var stored: [String: UInt64] = [:]
        for name in try directory.names(where: { CarriedFileName($0)?.isConflictCopy == false }) {
            if let facts = try directory.plainFacts(name) { stored[name] = facts.size }
        }
        return stored
    }

    static func ofSpool(_ failure: SystemCallFailure) -> RoundProblem {
        let isFull = [ENOSPC, EDQUOT].contains(failure.code)
        return RoundProblem(
            isFull ? .folderFull : .folderUnreadable, "the spool of autofilld cannot be written: \(failure.message)")
    }
}

/// Why a file cannot be read.
enum OpeningFailure: Error {
    case folder(SystemCallFailure)
    case git(GitFailure)

    func problem(of name: CarriedFileName) -> RoundProblem {
        switch self {
        case .folder(let failure): RoundProblem(.folderUnreadable, "\(name.text) cannot be read: \(failure.message)")
        case .git(let failure): RoundProblem(.gitFailed, "\(name.text) cannot be read: \(failure.summary)")
        }
    }
}
