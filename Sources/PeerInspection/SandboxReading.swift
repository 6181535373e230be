// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PathInspection
internal import PeerIdentity

extension ProcessDirectory {
    /// The root directory of the process, located only.
    func root() -> Result<Descriptor, SystemCallFailure> {
        Result { () throws(SystemCallFailure) in
            try Descriptor.open("root", in: descriptor, Descriptor.locate | O_DIRECTORY)
        }
    }

    /// The sandbox that the process runs in, by the `/.flatpak-info` of its own root directory. Where a program of the
    /// user's serves that directory or that file, it cannot be determined without waiting for it; nor where the mount of
    /// that directory is not found in the list.
    func sandbox(
        in opened: Result<Descriptor, SystemCallFailure>, hasSameMounts: Bool, installations: FlatpakInstallations
    ) -> SandboxEvidence {
        let root: Descriptor
        let file: Descriptor
        do throws(SystemCallFailure) {
            root = try opened.get()
            guard try !isServed(root, readsAll: hasSameMounts) else {
                return .unreadable(errno: SystemCallFailure.served.code)
            }
            file = try Descriptor.open(".flatpak-info", in: root, Descriptor.locate | O_NOFOLLOW)
        } catch {
            return error.isMissing ? .none : .unreadable(errno: error.code)
        }
        guard let facts = try? file.inspect(askingServer: false).facts else { return .malformed("it is not a file") }
        if facts.isLink { return .malformed("it is a symbolic link") }
        guard facts.isRegular else { return .malformed("it is not a file") }
        guard (try? isServed(file, readsAll: hasSameMounts)) == false else {
            return .malformed("a program of the user's serves it (FUSE)")
        }
        let limit = 64 * 1024
        let content: [UInt8]
        do throws(SystemCallFailure) {
            content = try file.openedForReading().read(atMost: limit + 1)
        } catch {
            return .unreadable(errno: error.code)
        }
        guard content.count <= limit else { return .malformed("it is over 64 KiB") }
        do throws(FlatpakInstance.Malformed) {
            let instance = try FlatpakInstance(parsing: content)
            return .flatpak(
                instance,
                proxied(instance, among: installations) ?? deployment(of: instance, in: root, among: installations))
        } catch {
            switch error {
            case .line(let line): return .malformed("line \(line) is not of a key file")
            case .applicationID: return .malformed("it names no app ID")
            }
        }
    }

    /// The files that Flatpak deployed for the sandbox whose bus proxy the process is; nil where it is none, or nothing
    /// was deployed. The proxy sees the session's own files, and has the sandbox's `/.flatpak-info` beside them.
    private func proxied(
        _ instance: FlatpakInstance, among installations: FlatpakInstallations
    ) -> FlatpakDeployment? {
        guard let link = try? executableLink(), let running = try? executable(),
            let walk = try? PathWalk(to: link, entersServed: false), walk.isRootsAlone,
            ExecutableIdentity(walk.end.point.facts) == running,
            Self.proxies.contains(where: { link.suffix($0.utf8.count).elementsEqual($0.utf8) }),
            let path = instance.installationPath, let files = instance.originalAppPath ?? instance.appPath,
            let installation = try? installations.name(of: path),
            let deployed = try? PathWalk(to: files.utf8, entersServed: false),
            deployed.isRootsAlone || installation != FlatpakInstallations.system
        else { return nil }
        return .proxied(installation: installation, files: PrintableBytes.text(files.utf8))
    }

    private static let proxies = ["/xdg-dbus-proxy", "/flatpak-dbus-proxy"]

    /// Whether a program of the user's serves a file that was opened by the mounts of this process.
    private func isServed(_ opened: Descriptor, readsAll: Bool) throws(SystemCallFailure) -> Bool {
        let mount = try opened.inspect(askingServer: false).mount
        return mount.server(of: opened, seenBy: descriptor, readsAll: readsAll) != .system
    }

    private func deployment(
        of instance: FlatpakInstance, in root: Descriptor, among installations: FlatpakInstallations
    ) -> FlatpakDeployment {
        guard let path = instance.installationPath, let files = instance.originalAppPath ?? instance.appPath,
            let mountedFiles = instance.appPath
        else { return .differs("it names no deployed files") }
        let name = PrintableBytes.text(files.utf8)
        do throws(SystemCallFailure) {
            guard let installation = try installations.name(of: path) else {
                return .differs("\(PrintableBytes.text(path.utf8)) is no installation of Flatpak's")
            }
            let deployed = try PathWalk(to: files.utf8, entersServed: false)
            let mounted = try PathWalk(to: mountedFiles.utf8, entersServed: false)
            if installation == FlatpakInstallations.system, !deployed.isRootsAlone {
                return .differs("\(name) is not root's alone")
            }
            guard let app = try? Descriptor.open("app", in: root, Descriptor.locate | O_NOFOLLOW | O_DIRECTORY),
                let inside = try? app.inspect(askingServer: false).facts,
                inside.isSameFile(as: mounted.end.point.facts)
            else { return .differs("its /app is another directory") }
            return .deployed(installation: installation, files: name)
        } catch {
            return error == .served ? .served(files: name) : .differs("\(name) does not exist")
        }
    }
}
