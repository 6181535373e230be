// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PeerIdentity

extension ProcessDirectory {
    /// The sandbox that the process runs in, as the `/.flatpak-info` of its own root directory says.
    func sandbox(installations: FlatpakInstallations) -> SandboxEvidence {
        let opened = af_open_read(descriptor, "root/.flatpak-info", false)
        switch -opened {
        case ENOENT: return .none
        case ELOOP: return .malformed("it is a symbolic link")
        case 1...: return .unreadable(errno: -opened)
        default: break
        }
        let file = OpenFile(descriptor: opened)
        guard let status = file.status(), status.isRegular else { return .malformed("it is not a file") }
        guard let content = file.content(limit: 64 * 1024) else { return .malformed("it is over 64 KiB") }
        do throws(FlatpakInstance.Malformed) {
            let instance = try FlatpakInstance(parsing: content)
            return .flatpak(instance, deployment(of: instance, among: installations))
        } catch {
            switch error {
            case .line(let line): return .malformed("line \(line) is not of a key file")
            case .applicationID: return .malformed("it names no app ID")
            }
        }
    }

    private func deployment(
        of instance: FlatpakInstance, among installations: FlatpakInstallations
    ) -> FlatpakDeployment {
        guard let path = instance.installationPath, let files = instance.originalAppPath ?? instance.appPath,
            let mountedFiles = instance.appPath
        else { return .differs("it names no deployed files") }
        guard let installation = installations.name(of: path) else {
            return .differs("\(PrintableBytes.text(path.utf8)) is no installation of Flatpak's")
        }
        guard let deployed = PathWalk(files.utf8), let mounted = PathWalk(mountedFiles.utf8) else {
            return .differs("\(PrintableBytes.text(files.utf8)) does not exist")
        }
        if installation == FlatpakInstallations.system, !deployed.isRootOwned {
            return .differs("\(PrintableBytes.text(files.utf8)) is not root's alone")
        }
        var inside = af_file()
        guard af_stat_at(descriptor, "root/app", false, &inside) == 0, inside.isDirectory,
            inside.device == mounted.file.device, inside.inode == mounted.file.inode
        else { return .differs("its /app is another directory") }
        return .deployed(installation: installation, files: PrintableBytes.text(files.utf8))
    }
}
