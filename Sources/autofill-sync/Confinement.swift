// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PathInspection
internal import SyncCarrier

/// Restricts this process, by Landlock, to the folder and the spool. With a git remote it is not restricted: git and
/// ssh(1) need their programs, the network and the user's keys; then only the size of files is limited.
struct Confinement {
    enum Result {
        /// It is confined, or the folder does not exist yet.
        case ready
        /// Another directory has the folder's path, such as one that was mounted: only a new process can access it.
        case restart
        case failed(String)
    }

    private let location: CarrierConfiguration.Location
    private let spool: String
    /// The folder to which this process is confined.
    private var folder: FileFacts?
    private var isLimited = false

    init(to location: CarrierConfiguration.Location, spool: String) {
        (self.location, self.spool) = (location, spool)
    }

    /// To be called before each round.
    mutating func enter() -> Result {
        guard case .folder(let path) = location else { return limit() }
        let found: (descriptor: Descriptor, facts: FileFacts)
        do throws(SystemCallFailure) {
            let descriptor = try Descriptor.open(path, Descriptor.locate | O_DIRECTORY)
            found = (descriptor, try descriptor.facts())
        } catch {
            return .ready
        }
        if let folder { return folder.isSameFile(as: found.facts) ? .ready : .restart }
        do throws(SystemCallFailure) {
            let spool = try Descriptor.open(spool, Descriptor.locate | O_DIRECTORY)
            let result = af_confine_to_directories([found.descriptor.number, spool.number], 2)
            guard result >= 0 else { throw SystemCallFailure(code: -result) }
        } catch {
            return .failed("Landlock failed: \(error.message)")
        }
        folder = found.facts
        return .ready
    }

    /// What git stores of a remote: a file is as large as all files that are carried at most.
    private mutating func limit() -> Result {
        guard !isLimited else { return .ready }
        isLimited = true
        let bytes = rlim_t(CarrierLimits.totalBytes)
        var size = rlimit(rlim_cur: bytes, rlim_max: bytes)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
        return .ready
    }
}
