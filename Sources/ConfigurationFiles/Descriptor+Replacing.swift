// SPDX-License-Identifier: Apache-2.0
import Glibc
import PathInspection

extension Descriptor {
    /// Creates a directory and its missing parents, accessible to the user only.
    static func createDirectory(_ path: String) throws(SystemCallFailure) {
        var made = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            made += "/" + component
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw SystemCallFailure() }
        }
    }

    /// Writes a file that only the user can read into this directory, in one step and safe against power loss: readers
    /// see the old one or the new one, whole.
    ///
    /// - Returns: whether there was one of that name.
    func replace(_ name: String, with bytes: [UInt8]) throws(SystemCallFailure) -> Bool {
        // Hidden, so that it is not read as a registration.
        let draft = ".new-" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
        do throws(SystemCallFailure) {
            let file = try Descriptor.open(draft, in: self, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            try file.write(bytes)
            try file.synchronize()
            let isThere = (try? facts(of: name)) != nil
            guard renameat(number, draft, number, name) == 0 else { throw SystemCallFailure() }
            try synchronize()
            return isThere
        } catch {
            unlinkat(number, draft, 0)
            throw error
        }
    }

    /// Removes a file from this directory.
    ///
    /// - Returns: whether there was one.
    func remove(_ name: String) throws(SystemCallFailure) -> Bool {
        guard unlinkat(number, name, 0) == 0 else {
            let failure = SystemCallFailure()
            if failure.isMissing { return false }
            throw failure
        }
        try synchronize()
        return true
    }
}
