// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import PeerIdentity

extension Subject {
    /// Whether what `writer` made or wrote is its own: the same app and the same executable, known at least as well. One
    /// program is known better or worse by how it was started.
    package func isAtLeast(_ writer: Subject) -> Bool {
        app.utf8.elementsEqual(writer.app.utf8) && executable.utf8.elementsEqual(writer.executable.utf8)
            && Assurance.is(assurance, atLeast: writer.assurance)
    }

    /// Whether an interpreter's app wrote it in another login: nothing else is known of either, so the user decides about both.
    package func isLaterLogin(of writer: Subject) -> Bool {
        app.utf8.elementsEqual(writer.app.utf8) && GrantSubject.isOfLogin(line: executable)
            && GrantSubject.isOfLogin(line: writer.executable) && Assurance.is(assurance, atLeast: writer.assurance)
    }

    /// This one, and the same program known less well: all whose work is its own, the best known first.
    var equalsAndWeaker: [Subject] {
        Assurance.allCases.sorted(by: >).filter { Assurance.is(assurance, atLeast: $0.rawValue) }
            .map { Subject(app: app, assurance: $0.rawValue, executable: executable) }
    }
}

extension Assurance {
    /// Compares two words of the vault; false for one that is none.
    fileprivate static func `is`(_ word: String, atLeast other: String) -> Bool {
        guard let mine = Assurance(rawValue: word), let theirs = Assurance(rawValue: other) else { return false }
        return mine >= theirs
    }
}
