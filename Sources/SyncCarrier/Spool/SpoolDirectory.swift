// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Glibc
package import PathInspection

/// The directory by which the daemon and the carrier exchange files.
package struct SpoolDirectory: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var configuration: String { path + "/carrier.json" }
    package var outgoing: String { path + "/out" }
    package var received: String { path + "/in" }
    package var repository: String { path + "/git" }
    static let state = "state.json"

    package enum Reading: Equatable, Sendable {
        /// Sync has stopped.
        case absent
        case read(CarrierConfiguration)
        case unusable(RoundProblem)
    }

    /// What the daemon wants to have carried now.
    package func readConfiguration() -> Reading {
        do throws(SystemCallFailure) {
            let file = try Descriptor.open(configuration, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let bytes = try file.read(atMost: CarrierLimits.configurationBytes + 1)
            guard bytes.count <= CarrierLimits.configurationBytes else {
                return .unusable(CarrierConfigurationError.malformed.problem)
            }
            do throws(CarrierConfigurationError) {
                return .read(try CarrierConfiguration(bytes))
            } catch {
                return .unusable(error.problem)
            }
        } catch {
            guard !error.isMissing else { return .absent }
            return .unusable(RoundProblem(.folderUnreadable, "carrier.json cannot be read: \(error.message)"))
        }
    }

    /// Makes the directories that are written with a git remote, where there are none.
    package func makeDirectories() throws(SystemCallFailure) {
        let directory = try Descriptor.folder(path)
        for name in ["in", "git"] { _ = try directory.madeSubdirectory(name) }
    }

    /// The directory of received files, made where there is none.
    func openReceived() throws(SystemCallFailure) -> Descriptor {
        try Descriptor.folder(path).madeSubdirectory("in")
    }

    /// What this machine wants to have in the folder; nil where the daemon has made no directory for it.
    func readOutgoing(_ own: CarrierConfiguration.Own) throws(SystemCallFailure) -> OutgoingFiles? {
        guard let out = try Descriptor.folder(path).subdirectory("out"),
            let group = try out.subdirectory(own.group), let directory = try group.subdirectory(own.device)
        else { return nil }
        var files: [String: FileFacts] = [:]
        for name in try directory.names(where: { CarriedFileName($0)?.isConflictCopy == false }) {
            // The daemon writes no empty file.
            if let facts = try directory.plainFacts(name), facts.size > 0 { files[name] = facts }
        }
        return OutgoingFiles(directory: directory, files: files)
    }

    /// The folder in which an earlier round found the directory of a group; nil: none did.
    func folder(of group: String) -> String? {
        do throws(SystemCallFailure) {
            let file = try Descriptor.open("\(received)/\(group).folder", O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            return String(decoding: try file.read(atMost: CarrierLimits.configurationBytes), as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// Records that a folder has the directory of a group. Where that cannot be written, the next round does so.
    func note(_ folder: String, of group: String) {
        guard self.folder(of: group) != folder else { return }
        do throws(SystemCallFailure) {
            let directory = try openReceived()
            try directory.replaceFile("\(group).folder", with: Array(folder.utf8))
            try directory.synchronize()
        } catch {
            return
        }
    }

    var hasState: Bool { access(received + "/" + Self.state, F_OK) == 0 }

    /// The last state that was written; nil: none yet.
    func readReport() -> CarrierReport? {
        do throws(SystemCallFailure) {
            let file = try Descriptor.open(received + "/" + Self.state, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            return try? CarrierReport(line: try file.read(atMost: CarrierLimits.configurationBytes))
        } catch {
            return nil
        }
    }

    /// Sets the state's time: at the beginning of a round after which all files of this machine are at the location.
    ///
    /// - Parameter now: milliseconds since 1970.
    func markComplete(at now: Int64) {
        let time = timespec(tv_sec: Int(now / 1000), tv_nsec: Int(now % 1000) * 1_000_000)
        utimensat(AT_FDCWD, received + "/" + Self.state, [time, time], AT_SYMLINK_NOFOLLOW)
    }

    /// When the last round began after which all files of this machine were at the location, in nanoseconds since 1970; nil: that is
    /// not known. A file may have a time that is some milliseconds earlier than its writing.
    var lastCompleteRound: Int64? {
        guard let report = readReport(), report.problem == nil, report.waiting == 0 else { return nil }
        do throws(SystemCallFailure) {
            let facts = try Descriptor.folder(received).plainFacts(Self.state)
            return facts.map { $0.modified - 20_000_000 }
        } catch {
            return nil
        }
    }

    /// - Returns: whether it is written.
    func write(_ state: CarrierState) -> Bool {
        do throws(SystemCallFailure) {
            let directory = try openReceived()
            try directory.replaceFile(Self.state, with: state.line)
            markComplete(at: Int64(state.checked))
            return true
        } catch {
            return false
        }
    }
}

/// The files of this machine.
struct OutgoingFiles {
    let directory: Descriptor
    let files: [String: FileFacts]

    /// An invitation or an answer.
    var hasInvitation: Bool { files.keys.contains { CarriedFileName($0)?.hash == nil } }
}

extension Descriptor {
    /// Writes a file into this directory: readers see the old one or the new one, whole.
    func replaceFile(_ name: String, with bytes: [UInt8]) throws(SystemCallFailure) {
        let draft = FileCopy.partial(name)
        try removeFile(draft)
        let file = try Descriptor.open(draft, in: self, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        try file.write(bytes)
        try file.synchronize()
        try rename(draft, to: name)
    }
}
