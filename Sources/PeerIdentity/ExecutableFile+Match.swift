// SPDX-License-Identifier: Apache-2.0

extension ExecutableFile {
    /// Whether its own file determines what it does: no interpreter, no image that is mounted again at each start.
    package var isOneProgram: Bool { interpreter == nil && !isAppImage }

    /// The registered executable that this file is. Nil when the registration names none, or cannot be compared with
    /// what runs; a file that is certainly none of those named contradicts the claim.
    func match(
        in registration: RegistrationEvidence?, claiming bundleID: String
    ) throws(PeerRefusal) -> RegisteredExecutable? {
        guard let registration, !registration.executables.isEmpty else { return nil }
        if let match = registration.executables.first(where: { $0.identity?.isSameFile(as: identity) == true }) {
            return match
        }
        let cannotCompare = registration.executables.contains { registered in
            registered.isScript && interpreter != nil
                || registered.isAppImage && isAppImage
                || registered.isServed && location == .served
                // The file that it was started from is missing: most likely after an upgrade.
                || (location == .replaced || location == .deleted)
                    && [registered.path, registered.target].contains(path)
        }
        guard cannotCompare else {
            throw .contradiction(.executableNotRegistered(claimed: bundleID, executable: path))
        }
        return nil
    }

    /// What a grant to it would name; nil when its path does not lead to it, or leads to what can be another each time.
    func subject(login: String) -> GrantSubject? {
        if !isOneProgram { return .login(login) }
        switch location {
        case .rootOwned: return .path(path)
        case .userOwned: return .file(path)
        case .served, .replaced, .deleted, .elsewhere: return nil
        }
    }

    func grounds(hasSamePaths: Bool) -> [String] {
        var grounds: [String]
        switch location {
        case .rootOwned: grounds = ["It runs \(path), which root alone can change."]
        case .userOwned: grounds = ["It runs \(path), which others than root can change."]
        case .served:
            grounds = ["It runs \(path), which a program of the user's serves (FUSE) and can make another at any time."]
        case .replaced: grounds = ["It runs a file that has since been replaced at \(path); start the app again."]
        case .deleted: grounds = ["It runs a file that has since been deleted at \(path); start the app again."]
        case .elsewhere: grounds = ["It runs a file that it calls \(path) and that does not lie there for us."]
        }
        if interpreter == .shared {
            grounds.append("Another program may make its requests too, on a connection that both have.")
        } else if let interpreter {
            grounds.append(
                "That is an interpreter (\(interpreter.family)): what it runs cannot be determined from outside.")
        }
        if isAppImage {
            grounds.append("That lies in the mounted image of an AppImage, at another path each time.")
        }
        if !hasSamePaths {
            grounds.append("It runs in a mount namespace of its own, in which paths and libraries may be others.")
        }
        return grounds
    }
}
