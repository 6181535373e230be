// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
internal import PathInspection

/// Carries files between the spool and a folder. It blocks while the folder's file system does.
package struct FolderCarrier {
    private let folder: String
    private let own: CarrierConfiguration.Own?
    private let spool: SpoolDirectory
    private var output: FolderOutput
    private var received: ReceivedFiles
    /// The directories of the last listing, relative to the folder.
    private var directories: [String] = []
    private(set) var expectsAnswer = false

    /// - Parameter own: nil: only invitations are brought.
    package init(folder: String, own: CarrierConfiguration.Own?, spool: SpoolDirectory) {
        (self.folder, self.own, self.spool) = (folder, own, spool)
        output = FolderOutput(spool)
        received = ReceivedFiles(spool)
    }

    /// The directories whose changes make a round due.
    package var watched: [String] { [folder] + directories.map { "\(folder)/\($0)" } }

    /// Writes what this machine wants to have in the folder, and brings what others have written.
    ///
    /// - Parameter now: milliseconds since 1970.
    package mutating func round(at now: Int64) -> RoundOutcome {
        let outgoing: OutgoingFiles?
        do throws(SystemCallFailure) {
            outgoing = try own.map { own throws(SystemCallFailure) in try spool.readOutgoing(own) } ?? nil
        } catch {
            return RoundOutcome(problem: ReceivedFiles.ofSpool(error))
        }
        expectsAnswer = outgoing?.hasInvitation ?? (own == nil)
        let opened: Descriptor
        do throws(SystemCallFailure) {
            opened = try Descriptor.folder(folder)
        } catch {
            let problem =
                error.isMissing
                ? RoundProblem(.folderMissing, "there is no folder \(folder)")
                : RoundProblem(.folderUnreadable, "the folder cannot be opened: \(error.message)")
            return RoundOutcome(problem: problem, waiting: output.waiting(of: outgoing))
        }
        if let own, isGone(own.group, from: opened) {
            let text =
                "no directory of the group is there any more; only if that was removed: mkdir \(folder)/\(own.group)"
            return RoundOutcome(problem: RoundProblem(.folderMissing, text), waiting: output.waiting(of: outgoing))
        }
        var problems = own.map { output.update(outgoing, of: $0, in: opened, at: now) } ?? []
        let waiting = output.waiting(of: outgoing)
        // A settled file of this machine stays, as one that it wants no more does, until what has its content is there.
        var mayDiscard = outgoing != nil && waiting == 0 && problems.isEmpty
        if let own, mayDiscard, !received.settled(of: own).isEmpty,
            let problem = FolderOutput.synchronize(own, in: opened)
        {
            problems.append(problem)
            mayDiscard = false
        }
        let read = FolderListing(opened, own: own)
        var listing = read.listing
        problems += listing.problems
        directories = read.directories
        if let own, directories.contains(own.group) { spool.note(folder, of: own.group) }
        if let own, let outgoing {
            listing.remove(outgoing.files.keys, of: own)
            listing.remove(output.written, of: own)
        }
        let update = received.update(
            from: listing, own: own, at: now, opening: Self.open, discarding: { mayDiscard && Self.discard($0, $1) })
        let outcome = RoundOutcome(
            problem: RoundProblem.first(of: problems + update.problems), waiting: waiting,
            hasChanged: update.hasChanged, restored: output.takeRestored())
        if outcome.problem == nil, outcome.waiting == 0 { output.markComplete(spool, at: now) }
        return outcome
    }

    /// Whether the directory of the group was there, and is not: without it the folder may be the mount point alone.
    private func isGone(_ group: String, from opened: Descriptor) -> Bool {
        guard spool.folder(of: group) == folder else { return false }
        do throws(SystemCallFailure) { return try opened.subdirectory(group) == nil } catch { return false }
    }

    private static func open(
        _ directory: CarriedDirectory, _ source: CarriedSource
    ) throws(OpeningFailure) -> Descriptor? {
        do throws(SystemCallFailure) {
            return try directory.descriptor?.plainFile(source.text)?.file
        } catch {
            throw .folder(error)
        }
    }

    private static func discard(_ directory: CarriedDirectory, _ item: CarriedItem) -> Bool {
        guard let descriptor = directory.descriptor else { return false }
        do throws(SystemCallFailure) {
            try FolderOutput.remove(item.name.text, from: descriptor)
            return true
        } catch {
            return false
        }
    }
}
