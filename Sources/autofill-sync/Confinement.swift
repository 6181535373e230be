// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PathInspection
internal import SyncCarrier

/// Restricts this process, and git(1) and ssh(1), which it starts, by Landlock.
///
/// With a folder: to the folder and the spool. With a git remote: to read the files of the system, and of the user's home
/// what `HomeFiles` names; to write of the spool what git and the carrier write, and a remote that is a directory. TCP is
/// permitted then, and the size of files is limited. Landlock does not restrict connections to sockets by path.
struct Confinement {
    enum Result {
        /// It is confined, or the folder does not exist yet.
        case ready
        /// A path has another file than before, such as a directory that was mounted, or the spool is missing: only a new
        /// process can access it.
        case restart
        /// The disk of the spool is full, so that it is not confined: no round may be made.
        case full(String)
        case failed(String)
    }

    private enum Failure: Error {
        case spool(String, SystemCallFailure)
        case landlock(SystemCallFailure)
    }

    private struct Rule {
        let file: Descriptor
        let facts: FileFacts
        let access: af_access

        /// - Parameter flags: with O_DIRECTORY a directory is mounted that is mounted at its first use.
        init(_ path: String, _ access: af_access, _ flags: Int32) throws(SystemCallFailure) {
            file = try Descriptor.open(path, Descriptor.locate | flags)
            facts = try file.inspect(askingServer: false).facts
            self.access = access
        }

        /// Whether this process is not permitted to open a directory which its user may: with the unmounting of its file system
        /// the rule of Landlock has ended, and another one was mounted that has the same numbers.
        var hasEnded: Bool {
            guard facts.isDirectory, faccessat(file.number, ".", R_OK | X_OK, 0) == 0 else { return false }
            do throws(SystemCallFailure) {
                _ = try Descriptor.open(".", in: file, O_RDONLY | O_DIRECTORY)
                return false
            } catch { return error.code == EACCES }
        }
    }

    private let location: CarrierConfiguration.Location
    private let spool: SpoolDirectory
    /// With a git remote.
    private let home: HomeFiles?
    /// The files to which this process is confined, without those of the system, and whether they could be opened: a server may refuse
    /// what access(2) permits.
    private var permitted: [(facts: FileFacts, access: af_access, opens: Bool)]?

    /// - Parameter readable: what a git remote needs of the home besides.
    init(to location: CarrierConfiguration.Location, spool: SpoolDirectory, readable: [String]) {
        (self.location, self.spool) = (location, spool)
        home =
            if case .git = location {
                HomeFiles(readable, programs: GitCarrier.programs(for: spool), spool: spool)
            } else {
                nil
            }
    }

    /// To be called before each round.
    mutating func enter() -> Result {
        do throws(Failure) {
            guard let rules = try findRules() else {
                permitted?.removeAll()
                return .ready
            }
            if let permitted {
                let areSame = rules.allSatisfy { rule in
                    permitted.contains {
                        $0.facts.isSameFile(as: rule.facts) && $0.access == rule.access && (!$0.opens || !rule.hasEnded)
                    }
                }
                guard areSame else { return .restart }
            } else {
                do throws(SystemCallFailure) { try confine(by: rules) } catch { throw Failure.landlock(error) }
            }
            // What is missing now is another one when it is back: its file system may have been unmounted.
            permitted = rules.map { ($0.facts, $0.access, !$0.hasEnded) }
            return .ready
        } catch {
            switch error {
            case .spool(_, let cause) where cause.isMissing: return .restart
            case .spool(let path, let cause) where [ENOSPC, EDQUOT].contains(cause.code):
                return .full("\(path): \(cause.message)")
            case .spool(let path, let cause): return .failed("\(path): \(cause.message)")
            case .landlock(let cause): return .failed("Landlock failed: \(cause.message)")
            }
        }
    }

    /// Nil where the folder does not exist.
    private func findRules() throws(Failure) -> [Rule]? {
        switch location {
        case .folder(let path):
            guard let folder = Self.rule(path, AF_ACCESS_WRITE, O_DIRECTORY) else { return nil }
            return [folder, try Self.ownRule(spool.path, AF_ACCESS_WRITE)]
        case .git(let remote):
            if permitted == nil {
                do throws(SystemCallFailure) {
                    try spool.makeDirectories()
                } catch {
                    throw Failure.spool(spool.path, error)
                }
            }
            let own = [
                try Self.ownRule(spool.path, AF_ACCESS_LIST), try Self.ownRule(spool.received, AF_ACCESS_WRITE),
                try Self.ownRule(spool.repository, AF_ACCESS_REPOSITORY),
            ]
            let other = remote.repository.flatMap { Self.rule($0, AF_ACCESS_REPOSITORY, O_DIRECTORY) }
            return own + [other].compactMap { $0 } + (home?.readable ?? []).compactMap { Self.rule($0, AF_ACCESS_READ) }
        }
    }

    private static func ownRule(_ path: String, _ access: af_access) throws(Failure) -> Rule {
        do throws(SystemCallFailure) {
            return try Rule(path, access, O_DIRECTORY)
        } catch {
            throw Failure.spool(path, error)
        }
    }

    /// Nil where there is no such file or directory, or it cannot be located.
    private static func rule(_ path: String, _ access: af_access) -> Rule? {
        do throws(SystemCallFailure) {
            return try Rule(path, access, O_DIRECTORY)
        } catch {
            return error.code == ENOTDIR ? rule(path, access, 0) : nil
        }
    }

    private static func rule(_ path: String, _ access: af_access, _ flags: Int32) -> Rule? {
        do throws(SystemCallFailure) { return try Rule(path, access, flags) } catch { return nil }
    }

    private func confine(by rules: [Rule]) throws(SystemCallFailure) {
        if home != nil { Self.limit() }
        let version = af_landlock_version()
        if version == 0 { return }
        // It would forbid git to move what was pushed to where it belongs.
        if version == 1, case .git(let remote) = location, remote.repository != nil { return }
        let ruleset = Descriptor(number: try Self.checked(af_landlock_ruleset(home != nil)))
        func permit(_ rule: Rule) throws(SystemCallFailure) {
            _ = try Self.checked(af_landlock_permit(ruleset.number, rule.file.number, rule.access))
        }
        for rule in rules { try permit(rule) }
        if let home {
            let outside = home.pathsOutside.lazy.compactMap { Self.rule($0, AF_ACCESS_READ, O_NOFOLLOW) }
            for rule in outside { try permit(rule) }
            let devices = ["/dev/null", "/dev/zero", "/dev/tty"].compactMap { Self.rule($0, AF_ACCESS_WRITE) }
            for rule in devices { try permit(rule) }
        }
        _ = try Self.checked(af_landlock_enforce(ruleset.number))
    }

    private static func checked(_ result: Int32) throws(SystemCallFailure) -> Int32 {
        guard result >= 0 else { throw SystemCallFailure(code: -result) }
        return result
    }

    /// What git stores of a remote: a file is as large as all files that are carried at most.
    private static func limit() {
        let bytes = rlim_t(CarrierLimits.totalBytes)
        var size = rlimit(rlim_cur: bytes, rlim_max: bytes)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
    }
}
