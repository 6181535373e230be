// SPDX-License-Identifier: Apache-2.0

/// The name of an app without a registration, made from the kernel's data about its process.
package enum AppNaming: Hashable, Sendable {
    /// The ID of the Flatpak that it runs in.
    case flatpak(String)
    /// The ID of the app that its unit is named after.
    case unit(String)
    /// The file that its interpreter runs: the path without links, printable.
    case script(String)
    /// Its executable: the path, printable.
    case program(String)

    /// The app's name. One that is made from a path begins with `program.` or `script.`, which no other app may use.
    ///
    /// - Parameter hash: the first 16 hexadecimal digits of the SHA-256 of a text.
    package func bundleID(_ hash: (String) -> String) -> String {
        switch self {
        case .flatpak(let name), .unit(let name): name
        case .script(let path): "script.\(Self.label(path)).\(hash(path))"
        case .program(let path): "program.\(Self.label(path)).\(hash(path))"
        }
    }

    /// The name that users see.
    package var title: String {
        switch self {
        case .flatpak(let name), .unit(let name): name
        case .script(let path), .program(let path): Self.lastComponent(path)
        }
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }

    /// The path's last component, in letters, digits and hyphens, 64 at most.
    private static func label(_ path: String) -> String {
        String(
            decoding: lastComponent(path).utf8.prefix(64).map { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: byte
                default: UInt8(ascii: "-")
                }
            }, as: UTF8.self)
    }
}

/// The process that started a peer, as it was when the peer was inspected.
package struct Starter: Hashable, Sendable {
    package let evidence: PeerEvidence
    /// Its script, where it is an interpreter and the script can be found.
    package let script: Script?

    package init(evidence: PeerEvidence, script: Script?) { (self.evidence, self.script) = (evidence, script) }

    /// What it is named after; nil where it does not identify what it starts: it cannot be inspected, or starts every
    /// program.
    var naming: AppNaming? {
        guard case .file(let file) = evidence.executable else { return nil }
        if let script { return .script(script.path) }
        return Self.general.contains(String(file.fileName)) ? nil : .program(evidence.namingPath(of: file))
    }

    /// Programs that start every program: the service manager, and what makes sandboxes and containers.
    private static let general: Set = [
        "systemd", "init", "bwrap", "unshare", "nsenter", "firejail", "podman", "conmon", "crun", "runc",
    ]

    /// The path of its script, else of its program; for users.
    package var path: String? { script?.path ?? evidence.shownPath }

    /// Its text in a login's subject: `script:/home/a/backup.sh#<sha256>`, `program:/usr/bin/bash`; nil where it does not
    /// identify what it starts, or its path is its own choice.
    package var line: String? {
        guard let naming, evidence.hasSamePaths else { return nil }
        if case .program(let path) = naming { return "program:\(path)" }
        return script?.line
    }
}

extension PeerEvidence {
    /// Whether its own file and its arguments do not identify the program: then its starter may.
    ///
    /// - Parameter script: its script, where it is an interpreter and the script can be found.
    package func isCarrier(running script: Script?) -> Bool {
        guard case .file(let file) = executable, case .none = sandbox else { return false }
        return script == nil && file.isInterpreterByName
    }

    /// Whether it sends what other programs give it.
    package var isRelay: Bool {
        guard case .file(let file) = executable else { return false }
        return file.interpreter?.isCarrier == true
    }

    /// What distinguishes it from others that run its file, in a login's subject: its script or its starter, or its unit,
    /// where that names its app. Nil where nothing does.
    ///
    /// - Parameters:
    ///   - script: its script, where it is an interpreter and the script can be found.
    ///   - starter: of a carrier, where that can be inspected.
    package func ownLine(running script: Script?, startedBy starter: Starter?) -> String? {
        let starter = distinguishing(starter)
        if let line = script?.line ?? starter?.line { return line }
        guard starter != nil, !isRelay, case .unit(let app)? = try? naming(running: nil, startedBy: starter) else {
            return nil
        }
        return "unit:\(app)"
    }

    /// A starter, but for a bus proxy's that is a shell without a script: what one line in a menu or an alias starts, as any other.
    private func distinguishing(_ starter: Starter?) -> Starter? {
        guard case .file(let file) = executable, file.isBusProxy, starter?.isInterpreter == true else { return starter }
        return starter?.script == nil ? nil : starter
    }

    /// What its app is named after, where no registration names its executable.
    ///
    /// - Parameters:
    ///   - script: its script, where it is an interpreter and the script can be found.
    ///   - starter: of a carrier, where that can be inspected.
    package func naming(running script: Script?, startedBy starter: Starter?) throws(PeerRefusal) -> AppNaming {
        switch sandbox {
        case .unreadable: throw .unreadable("root directory")
        case .malformed(let why): throw .sandboxMalformed(why)
        case .flatpak(let instance, _): return .flatpak(instance.appID)
        case .none: break
        }
        guard case .file(let file) = executable else { throw .unreadable("executable") }
        let unit = appUnit.map { AppNaming.unit($0.appID) }
        // A Flatpak's connection to the bus is that of its proxy, which runs outside.
        if file.isBusProxy, let appUnit, appUnit.source == .desktop(launcher: "flatpak") {
            return .flatpak(appUnit.appID)
        }
        if let script { return .script(script.path) }
        guard file.isInterpreterByName else { return .program(namingPath(of: file)) }
        let started = distinguishing(starter)?.naming
        // What a terminal or a script started is theirs, whatever app's unit that runs in.
        let isCommand = isRelay || starter?.isInterpreter == true
        return (isCommand ? started ?? unit : unit ?? started) ?? .program(namingPath(of: file))
    }

    /// The path of its file, the same at each start: the image of an AppImage is mounted at `.mount_NAMEXXXXXX`, six
    /// characters of it another each time. What has that path in namespaces of its own is not the program there.
    package func namingPath(of file: ExecutableFile) -> String {
        var path = file.path
        if file.isAppImage {
            path = path.split(separator: "/", omittingEmptySubsequences: false)
                .map { $0.hasPrefix(".mount_") ? $0.dropLast(6) : $0 }.joined(separator: "/")
        }
        return file.location == .elsewhere || !hasSamePaths ? "\(path) (elsewhere)" : path
    }
}

extension Starter {
    fileprivate var isInterpreter: Bool {
        guard case .file(let file) = evidence.executable else { return false }
        return file.interpreter != nil
    }
}

extension ExecutableFile {
    package var fileName: Substring { path.split(separator: "/").last ?? path[...] }

    /// Whether its name marks it as running other programs; the runtime beside an app of its own (Electron) does not
    /// count.
    fileprivate var isInterpreterByName: Bool {
        interpreter != nil && !isAppImage && Interpreter(fileName: String(fileName)) != nil
    }

    /// Whether it is the proxy between a Flatpak and the bus.
    package var isBusProxy: Bool { fileName == "xdg-dbus-proxy" || fileName == "flatpak-dbus-proxy" }
}
