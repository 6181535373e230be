// SPDX-License-Identifier: Apache-2.0

/// What an app is named after that nobody names: what the kernel tells of its process.
package enum AppNaming: Hashable, Sendable {
    /// The ID of the Flatpak that it runs in.
    case flatpak(String)
    /// The ID of the app that its unit is named after.
    case unit(String)
    /// What its interpreter runs: the path without links, printable.
    case script(String)
    /// Its executable: the path, printable.
    case program(String)

    /// The app's name. One that is made of a path begins with `program.` or `script.`, which nobody else may use.
    ///
    /// - Parameter hash: the first 16 hexadecimal digits of the SHA-256 of a text.
    package func bundleID(_ hash: (String) -> String) -> String {
        switch self {
        case .flatpak(let name), .unit(let name): name
        case .script(let path): "script.\(Self.label(path)).\(hash(path))"
        case .program(let path): "program.\(Self.label(path)).\(hash(path))"
        }
    }

    /// How people call it.
    package var title: String {
        switch self {
        case .flatpak(let name), .unit(let name): name
        case .script(let path), .program(let path): Self.lastPart(path)
        }
    }

    private static func lastPart(_ path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }

    /// The path's last part, in letters, digits and hyphens, 64 at most.
    private static func label(_ path: String) -> String {
        String(
            decoding: lastPart(path).utf8.prefix(64).map { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: byte
                default: UInt8(ascii: "-")
                }
            }, as: UTF8.self)
    }
}

/// The process that started a peer, as it was when the peer was looked at.
package struct Starter: Hashable, Sendable {
    package let evidence: PeerEvidence
    /// What it runs, where it is an interpreter and that is known.
    package let script: Script?

    package init(evidence: PeerEvidence, script: Script?) { (self.evidence, self.script) = (evidence, script) }

    /// What it is called after; nil where it says nothing of what it starts: it cannot be looked at, or is what starts everything.
    var naming: AppNaming? {
        guard case .file(let file) = evidence.executable else { return nil }
        if let script { return .script(script.path) }
        return file.fileName == "systemd" || file.fileName == "init" ? nil : .program(file.namingPath)
    }

    /// The path of its script, else of its program; for people.
    package var path: String? { script?.path ?? evidence.executable.path }

    /// What stands for it in a login's subject: `script:/home/a/backup.sh#<sha256>`, `program:/usr/bin/bash`.
    package var line: String? { script?.line ?? evidence.executable.path.map { "program:\($0)" } }
}

extension PeerEvidence {
    /// Whether its own file and its arguments say nothing of whose program it is: then who started it may.
    ///
    /// - Parameter script: what it runs, where it is an interpreter and that is known.
    package func isCarrier(running script: Script?) -> Bool {
        guard case .file(let file) = executable, case .none = sandbox else { return false }
        return script == nil && file.isInterpreterByName
    }

    /// What its app is named after, where no registration names its executable.
    ///
    /// - Parameters:
    ///   - script: what it runs, where it is an interpreter and that is known.
    ///   - starter: of a carrier, where that can be looked at.
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
        guard file.isInterpreterByName else { return .program(file.namingPath) }
        let started = starter?.naming
        // What a terminal or a script started is theirs, whatever app's unit that runs in.
        let isCommand = file.interpreter?.isCarrier == true || starter?.isInterpreter == true
        return (isCommand ? started ?? unit : unit ?? started) ?? .program(file.namingPath)
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

    /// Whether its name says that it runs other people's programs; of what lies beside an app of its own (Electron) it does not.
    fileprivate var isInterpreterByName: Bool {
        interpreter != nil && !isAppImage && Interpreter(fileName: String(fileName)) != nil
    }

    /// Whether it is what stands between a Flatpak and the bus.
    package var isBusProxy: Bool { fileName == "xdg-dbus-proxy" || fileName == "flatpak-dbus-proxy" }

    /// Its path, the same at each start: the image of an AppImage is mounted at `.mount_NAMEXXXXXX`, six characters of it another
    /// each time. What lies elsewhere under that path in other mounts is not the program there.
    fileprivate var namingPath: String {
        guard isAppImage else { return place == .elsewhere ? "\(path) (elsewhere)" : path }
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(".mount_") ? $0.dropLast(6) : $0 }.joined(separator: "/")
    }
}
