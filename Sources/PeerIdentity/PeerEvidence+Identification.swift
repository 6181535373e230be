// SPDX-License-Identifier: Apache-2.0

extension PeerEvidence {
    /// The identification of this peer that claims `bundleID`, with the registration of that bundle ID, if there is
    /// one.
    ///
    /// A higher assurance needs all of its evidence; what is missing or unreadable never raises it.
    ///
    /// - Parameter isNamed: whether `bundleID` was made from this evidence, and no peer claimed it.
    package func identification(
        claiming bundleID: String, registration: RegistrationEvidence?, isNamed: Bool = false
    ) throws(PeerRefusal) -> Identification {
        switch sandbox {
        case .unreadable: throw .unreadable("root directory")
        case .malformed(let why): throw .sandboxMalformed(why)
        case .flatpak(let instance, let deployment):
            return try identification(of: instance, deployment, claiming: bundleID, registration)
        case .none:
            guard case .file(let file) = executable else { throw .unreadable("executable") }
            return try identification(of: file, claiming: bundleID, registration, isNamed: isNamed)
        }
    }

    private func identification(
        of instance: FlatpakInstance, _ deployment: FlatpakDeployment, claiming bundleID: String,
        _ registration: RegistrationEvidence?
    ) throws(PeerRefusal) -> Identification {
        guard Self.areSame(instance.appID, bundleID) else {
            throw .contradiction(.sandboxedAsOther(claimed: bundleID, actual: instance.appID))
        }
        if let unit = appUnit, unit.source == .desktop(launcher: "flatpak"), !Self.areSame(unit.appID, instance.appID) {
            throw .contradiction(.unitOfOtherFlatpak(sandbox: instance.appID, unit: unit.appID))
        }
        // It has no protocol but the bus's: a proxy that connects itself runs other code (LD_PRELOAD).
        if case .proxied = deployment, !isHandedOver {
            throw .contradiction(
                .deploymentDiffers(appID: instance.appID, why: "Flatpak's proxy of the bus does not connect itself"))
        }
        if instance.isBuild {
            return Identification(
                bundleID: bundleID, assurance: .claimed,
                grounds: [processGround, "It runs in a sandbox of flatpak build, whose app ID its developer chose."],
                subject: nil)
        }
        switch deployment {
        case .differs(let why):
            throw .contradiction(.deploymentDiffers(appID: instance.appID, why: why))
        case .served(let files):
            return Identification(
                bundleID: bundleID, assurance: .claimed,
                grounds: [
                    processGround, "It runs in the Flatpak sandbox of \(instance.appID).",
                    "What was deployed in \(files) is served by a program of the user's (FUSE).",
                ],
                subject: nil)
        case .deployed(_, let files) where instance.originalAppPath != nil,
            .proxied(_, let files) where instance.originalAppPath != nil:
            return Identification(
                bundleID: bundleID, assurance: .claimed,
                grounds: [
                    processGround, "It runs in the Flatpak sandbox of \(instance.appID).",
                    "Its /app is a directory that its starter chose, and not what was deployed in \(files).",
                ],
                subject: nil)
        case .proxied(let installation, let files):
            var grounds = [
                processGround, "It is Flatpak's proxy of the session's bus for the sandbox of \(instance.appID).",
                "What the installation \(installation) deployed lies in \(files).",
            ]
            let assurance = capped(.sandboxed, by: registration, &grounds)
            return Identification(
                bundleID: bundleID, assurance: assurance, grounds: grounds,
                subject: .flatpak(appID: instance.appID, installation: installation))
        case .deployed(let installation, let files):
            var grounds = [
                processGround, "It runs in the Flatpak sandbox of \(instance.appID).",
                "Its /app is what the installation \(installation) deployed in \(files).",
            ]
            let assurance = capped(.sandboxed, by: registration, &grounds)
            return Identification(
                bundleID: bundleID, assurance: assurance, grounds: grounds,
                subject: .flatpak(appID: instance.appID, installation: installation))
        }
    }

    private func identification(
        of file: ExecutableFile, claiming bundleID: String, _ registration: RegistrationEvidence?, isNamed: Bool
    ) throws(PeerRefusal) -> Identification {
        if let unit = appUnit, unit.source == .snap, !hasSamePaths, !isNamed, !Self.areSame(unit.appID, bundleID) {
            throw .contradiction(.snapOfOther(claimed: bundleID, snap: unit.appID))
        }
        // A snap, and a service of the user's manager with files of its own, are named after their app.
        if mountNamespaceDiffers == true || isApart, !isNamed, appUnit.map({ Self.areSame($0.appID, bundleID) }) != true
        {
            throw .contradiction(.foreignNamespace(executable: file.path))
        }
        let match = try file.match(in: registration, claiming: bundleID)
        var grounds = [processGround] + file.grounds(hasSamePaths: hasSamePaths)
        var assurance = Assurance.claimed
        if let unit = appUnit {
            if Self.areSame(unit.appID, bundleID) {
                assurance = .attributed
                grounds.append("Its unit \(controlGroup?.unit ?? "") is named after \(bundleID).")
            } else {
                grounds.append("Its unit is named after \(unit.appID), which may only have started it.")
            }
        }
        if let match, let registration {
            let isRoots = registration.origin == .administrator
            grounds.append(
                "The \(isRoots ? "root-owned" : "user's") registration names it, as \(match.path).")
            if isRoots, match.isRootOwned, file.location == .rootOwned, file.isOneProgram, hasSamePaths {
                assurance = .installed
            }
        }
        assurance = capped(assurance, by: registration, &grounds)
        return Identification(
            bundleID: bundleID, assurance: assurance, grounds: grounds,
            subject: hasSamePaths ? file.subject(login: login) : nil)
    }

    /// A user's own registration carries no more than attribution.
    private func capped(
        _ assurance: Assurance, by registration: RegistrationEvidence?, _ grounds: inout [String]
    ) -> Assurance {
        guard let registration, registration.origin == .user, assurance > .attributed else { return assurance }
        grounds.append("Its registration is the user's own, which carries no more than attribution.")
        return .attributed
    }

    private var processGround: String {
        "Process \(process) of user \(user) \(isHandedOver ? "was handed over" : "connected"), identified by "
            + (isPinned ? "the kernel's descriptor of it." : "its number alone (no SO_PEERPIDFD here).")
    }

    /// Whether the names have the same bytes. `==` would accept canonically equivalent names as equal.
    private static func areSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}
