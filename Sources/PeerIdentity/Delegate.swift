// SPDX-License-Identifier: Apache-2.0

/// The delegates that an administrator's directory names, in plain values.
package struct DelegateEvidence: Hashable, Sendable {
    /// As the administrator calls it.
    package let name: String
    /// The executables, as they are now.
    package let executables: [RegisteredExecutable]

    package init(name: String, executables: [RegisteredExecutable]) {
        self.name = name
        self.executables = executables
    }
}

/// An administrator's statement that some programs share what they store under some schemas, in plain values.
package struct FamilyEvidence: Hashable, Sendable {
    /// Values of the attribute `xdg:schema`.
    package let schemas: [String]
    /// The executables, as they are now.
    package let executables: [RegisteredExecutable]

    package init(schemas: [String], executables: [RegisteredExecutable]) {
        (self.schemas, self.executables) = (schemas, executables)
    }
}

extension PeerEvidence {
    /// By each schema of the families that the peer is of, one of root's programs, identified by its path: the paths of
    /// the programs that share its items.
    package func shared(
        identifiedAs identification: Identification, among families: [FamilyEvidence]
    ) -> [String: Set<String>] {
        guard case .file(let file) = executable, identification.subject?.isInstalledProgram == true else { return [:] }
        var shared: [String: Set<String>] = [:]
        for family in families {
            let members = family.executables.filter(\.isRootOwned)
            guard members.contains(where: { $0.identity?.isSameFile(as: file.identity) == true }) else { continue }
            for schema in family.schemas { shared[schema, default: []].formUnion(members.map(\.path)) }
        }
        return shared
    }
}

/// A peer that may speak for others: an installed program that an administrator names as a delegate.
package struct Delegate: Hashable, Sendable {
    /// As the administrator calls it.
    package let name: String
    /// The path of its executable, which only root can change; printable.
    package let path: String

    fileprivate init(name: String, path: String) {
        self.name = name
        self.path = path
    }
}

extension PeerEvidence {
    /// The delegate that this peer is.
    ///
    /// - Parameters:
    ///   - identification: what its own claim is worth; a delegate is `installed`.
    ///   - declared: those that an administrator names.
    /// - Throws: `PeerRefusal.notADelegate`.
    package func delegate(
        identifiedAs identification: Identification, among declared: [DelegateEvidence]
    ) throws(PeerRefusal) -> Delegate {
        guard case .file(let file) = executable, identification.assurance == .installed,
            case .path(let path) = identification.subject, path == file.path
        else { throw .notADelegate(executable: executable.path) }
        let found = declared.first { delegate in
            delegate.executables.contains {
                $0.isRootOwned && $0.identity?.isSameFile(as: file.identity) == true
            }
        }
        guard let found else { throw .notADelegate(executable: path) }
        return Delegate(name: found.name, path: path)
    }
}

extension Identification {
    /// The assurance of this peer's claim where a delegate makes it: the lower assurance of the two, and a grant would
    /// name both.
    package func spoken(by delegate: Delegate) -> Identification {
        let name = PrintableBytes.text(delegate.name.utf8)
        return Identification(
            bundleID: bundleID, assurance: min(assurance, .installed),
            grounds: ["\(delegate.path) speaks for it, an installed delegate (\(name))."] + grounds,
            subject: subject.map { .delegated(by: delegate.path, $0) })
    }
}
