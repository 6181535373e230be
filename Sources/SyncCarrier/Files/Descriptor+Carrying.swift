// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PathInspection

/// Directories and files below a directory that anybody may have written to: no link is followed, nothing waits for a
/// FIFO.
extension Descriptor {
    static func folder(_ path: String) throws(SystemCallFailure) -> Descriptor {
        try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
    }

    /// Nil where there is none, or something else of this name.
    func subdirectory(_ name: String) throws(SystemCallFailure) -> Descriptor? {
        do throws(SystemCallFailure) {
            return try Descriptor.open(name, in: self, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return nil }
            throw error
        }
    }

    /// A directory, which is made where there is none.
    func madeSubdirectory(_ name: String) throws(SystemCallFailure) -> Descriptor {
        if let directory = try subdirectory(name) { return directory }
        guard mkdirat(number, name, 0o700) == 0 || errno == EEXIST else { throw SystemCallFailure() }
        try synchronize()
        return try Descriptor.open(name, in: self, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    }

    /// A plain file, opened for reading; nil for anything else.
    func plainFile(_ name: String) throws(SystemCallFailure) -> (file: Descriptor, facts: FileFacts)? {
        guard let facts = try plainFacts(name), facts.isRegular else { return nil }
        let file: Descriptor
        do throws(SystemCallFailure) {
            file = try Descriptor.open(name, in: self, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        } catch {
            // It was removed since.
            if error.isMissing { return nil }
            throw error
        }
        let opened = try file.facts()
        return opened.isRegular ? (file, opened) : nil
    }

    /// Of a plain file; nil for anything else.
    func plainFacts(_ name: String) throws(SystemCallFailure) -> FileFacts? {
        do throws(SystemCallFailure) {
            let facts = try facts(of: name)
            return facts.isRegular ? facts : nil
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// - Returns: whether there was one.
    @discardableResult
    func removeFile(_ name: String) throws(SystemCallFailure) -> Bool {
        guard unlinkat(number, name, 0) == 0 else {
            let failure = SystemCallFailure()
            if failure.isMissing { return false }
            throw failure
        }
        return true
    }

    /// Removes a directory if it is empty.
    func removeDirectory(_ name: String) { unlinkat(number, name, AT_REMOVEDIR) }

    func rename(_ name: String, to other: String) throws(SystemCallFailure) {
        guard renameat(number, name, number, other) == 0 else { throw SystemCallFailure() }
    }

    /// The names of groups or devices in it.
    func identifiers() throws(SystemCallFailure) -> [String] { try names(where: CarriedFileName.isIdentifier).sorted() }
}
