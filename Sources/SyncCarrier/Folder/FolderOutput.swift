// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
internal import PathInspection

/// The files of this machine in the folder.
struct FolderOutput {
    /// A file that was compared with that of the folder.
    private struct Compared: Equatable {
        let own: FileFacts
        let folder: FileFacts
    }

    /// By name. Only this process's: whatever else is in the directory is brought to the spool first.
    private var compared: [String: Compared] = [:]
    private var lost: LostFiles
    /// Whether this process has written a file since the spool's state was marked.
    private var hasWritten = false

    init(_ spool: SpoolDirectory) { lost = LostFiles(spool) }

    /// The files that were written again since the last call.
    mutating func takeRestored() -> RestoredFiles? { lost.takeRestored() }

    /// Marks in the spool that all is in the folder.
    mutating func markComplete(_ spool: SpoolDirectory, at now: Int64) {
        guard hasWritten else { return }
        spool.markComplete(at: now)
        hasWritten = false
    }

    /// The number of files that are not in the folder, as far as this process has seen.
    func waiting(of outgoing: OutgoingFiles?) -> Int {
        outgoing?.files.count { compared[$0.key]?.own != $0.value } ?? 0
    }

    /// The files of this machine that this process has found or written in the folder.
    var written: [String] { Array(compared.keys) }

    /// Writes what is absent or differs. When all is there that the daemon wants, removes what this process has written and
    /// the daemon wants no more.
    mutating func update(
        _ outgoing: OutgoingFiles?, of own: CarrierConfiguration.Own, in folder: Descriptor, at now: Int64
    ) -> [RoundProblem] {
        // Without a directory of the daemon's nothing is removed: sync may just be stopping.
        guard let outgoing else { return [] }
        do throws(SystemCallFailure) {
            let directory: Descriptor
            if outgoing.files.isEmpty {
                guard let existing = try folder.subdirectory(own.group)?.subdirectory(own.device) else { return [] }
                directory = existing
            } else {
                directory = try folder.madeSubdirectory(own.group).madeSubdirectory(own.device)
            }
            try removePartials(in: directory)
            let problems = try write(outgoing, to: directory, at: now)
            // Until then a file that it wants no more may be the only one with its content.
            guard waiting(of: outgoing) == 0 else { return problems }
            let ended = compared.keys.filter { outgoing.files[$0] == nil }.sorted()
            // The names of the others may not be on the disk: an earlier round has found or written them.
            if !ended.isEmpty { try directory.synchronize() }
            for name in ended {
                try Self.remove(name, from: directory)
                compared[name] = nil
            }
            return problems
        } catch {
            return [Self.problem(error)]
        }
    }

    private mutating func write(
        _ outgoing: OutgoingFiles, to directory: Descriptor, at now: Int64
    ) throws(SystemCallFailure) -> [RoundProblem] {
        var problems: [RoundProblem] = []
        var isWritten = false
        for (text, facts) in outgoing.files.sorted(by: { $0.key < $1.key }) {
            guard let name = CarriedFileName(text) else { continue }
            if try isCurrent(name, facts, outgoing.directory, directory) {
                lost.confirm(text)
                continue
            }
            lost.note(text, facts)
            compared[text] = nil
            do throws(FileCopyFailure) {
                guard let own = try Self.place(name, of: outgoing.directory, in: directory) else {
                    // The daemon may have removed it since the directory was read.
                    if try Self.exists(text, in: outgoing.directory) {
                        problems.append(RoundProblem(.folderUnreadable, "\(text) of the spool is damaged"))
                    }
                    continue
                }
                isWritten = true
                lost.write(text, at: now)
                compared[text] = try Self.writing { () throws(SystemCallFailure) in
                    try directory.plainFacts(text).map { Compared(own: own, folder: $0) }
                }
            } catch {
                switch error {
                case .write(let failure) where Self.isOfOneFile(failure): problems.append(Self.problem(failure))
                case .write(let failure): throw failure
                case .read(let failure): problems.append(ReceivedFiles.ofSpool(failure))
                }
            }
        }
        lost.endRound(outgoing.files.keys)
        if isWritten {
            try directory.synchronize()
            hasWritten = true
        }
        return problems
    }

    /// Copies a file of the spool.
    ///
    /// - Returns: its facts; nil where it is not complete.
    private static func place(
        _ name: CarriedFileName, of own: Descriptor, in directory: Descriptor
    ) throws(FileCopyFailure) -> FileFacts? {
        let opened: (file: Descriptor, facts: FileFacts)?
        do throws(SystemCallFailure) { opened = try own.plainFile(name.text) } catch { throw .read(error) }
        guard let opened, try FileCopy.place(opened.file, as: name, in: directory) != nil else { return nil }
        return opened.facts
    }

    private static func exists(_ name: String, in own: Descriptor) throws(FileCopyFailure) -> Bool {
        do throws(SystemCallFailure) { return try own.plainFacts(name) != nil } catch { throw .read(error) }
    }

    /// Whether the folder has the file as this machine wrote it.
    private mutating func isCurrent(
        _ name: CarriedFileName, _ facts: FileFacts, _ own: Descriptor, _ directory: Descriptor
    ) throws(SystemCallFailure) -> Bool {
        guard let found = try directory.plainFacts(name.text) else { return false }
        let pair = Compared(own: facts, folder: found)
        if compared[name.text] == pair { return true }
        guard facts.size == found.size, let content = Self.content(name, directory),
            content == Self.content(name, own)
        else { return false }
        compared[name.text] = pair
        return true
    }

    /// Nil where it cannot be read: then it is written again.
    private static func content(_ name: CarriedFileName, _ directory: Descriptor) -> FileContent? {
        do throws(SystemCallFailure) {
            guard let file = try directory.plainFile(name.text)?.file else { return nil }
            return try? FileCopy.read(file, limit: name.byteLimit)
        } catch {
            return nil
        }
    }

    /// Removes a file, and the copies of it.
    static func remove(_ name: String, from directory: Descriptor) throws(SystemCallFailure) {
        for found in try directory.names(where: { CarriedFileName($0)?.text == name }) {
            try directory.removeFile(found)
        }
    }

    /// What a carrier left that ended while it wrote.
    private func removePartials(in directory: Descriptor) throws(SystemCallFailure) {
        for name in try directory.names(where: { FileCopy.target(ofPartial: $0) != nil }) {
            try directory.removeFile(name)
        }
    }

    /// Whether another file may be written all the same: a smaller one, or one of another name.
    private static func isOfOneFile(_ failure: SystemCallFailure) -> Bool {
        [ENOSPC, EDQUOT, EFBIG, EISDIR].contains(failure.code)
    }

    /// Brings the names of this machine's files to the disk.
    ///
    /// - Returns: why that was not possible.
    static func synchronize(_ own: CarrierConfiguration.Own, in folder: Descriptor) -> RoundProblem? {
        do throws(SystemCallFailure) {
            try folder.subdirectory(own.group)?.subdirectory(own.device)?.synchronize()
            return nil
        } catch {
            return problem(error)
        }
    }

    private static func problem(_ failure: SystemCallFailure) -> RoundProblem {
        switch failure.code {
        case ENOSPC, EDQUOT: RoundProblem(.folderFull, "the folder cannot be written: \(failure.message)")
        default: RoundProblem(.folderUnreadable, "the folder cannot be written: \(failure.message)")
        }
    }

    private static func writing<Value>(
        _ body: () throws(SystemCallFailure) -> Value
    ) throws(FileCopyFailure) -> Value {
        do throws(SystemCallFailure) { return try body() } catch { throw .write(error) }
    }
}
