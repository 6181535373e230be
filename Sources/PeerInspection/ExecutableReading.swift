// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PeerIdentity

extension ProcessDirectory {
    /// The file that the process runs: by its descriptor, with the link's text checked against our own view of the path.
    func executableFile(sharesMounts: Bool) throws(PeerRefusal) -> ExecutableFile {
        let opened = try openExecutable()
        guard let file = opened.status() else { throw .ended }
        let isFuse = af_is_fuse(opened.descriptor)
        let link = try executableLink()
        let place = ExecutablePlace(
            of: ExecutableIdentity(file), linkedAs: link, sharesMounts: sharesMounts, isTrustedFileSystem: !isFuse)
        let path = PrintableBytes.text(place.path)
        let name = place.path.lastIndex(of: UInt8(ascii: "/")).map { place.path[($0 + 1)...] } ?? place.path[...]
        var interpreter = Interpreter(fileName: PrintableBytes.text(name))
        if interpreter == nil, Self.holdsElectronApp(place.path.dropLast(name.count)) { interpreter = .electron }
        return ExecutableFile(
            path: path, identity: ExecutableIdentity(file), owner: file.owner, place: place.place,
            interpreter: interpreter, isAppImage: isFuse && path.contains("/.mount_"), changed: file.changed)
    }

    /// Whether the directory of an executable holds an app for Electron, which then runs any other just as well.
    private static func holdsElectronApp(_ directory: some Collection<UInt8>) -> Bool {
        let resources = directory + Array("resources".utf8)
        var file = af_file()
        guard af_stat_at(AT_FDCWD, resources + [0], true, &file) == 0, file.isDirectory else { return false }
        return ["/app.asar", "/default_app.asar", "/app/package.json"].contains { name in
            af_stat_at(AT_FDCWD, resources + Array(name.utf8) + [0], true, &file) == 0
        }
    }
}

/// What lies at the path that the kernel's link names.
private struct ExecutablePlace {
    let path: [UInt8]
    let place: ExecutableFile.Place

    init(of identity: ExecutableIdentity, linkedAs link: [UInt8], sharesMounts: Bool, isTrustedFileSystem: Bool) {
        let walk = PathWalk(link)
        if let walk, ExecutableIdentity(walk.file).isSameFile(as: identity) {
            path = link
            place = walk.isRootOwned && isTrustedFileSystem ? .rootOwned : .userOwned
            return
        }
        let mark = Array(" (deleted)".utf8)
        path = link.suffix(mark.count).elementsEqual(mark) ? Array(link.dropLast(mark.count)) : link
        place = !sharesMounts ? .elsewhere : PathWalk(path) == nil ? .deleted : .replaced
    }
}
