// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PathInspection
internal import PeerIdentity

extension ProcessDirectory {
    /// The file that the process runs: by its descriptor, with the link's text checked against our own view of the
    /// path.
    func executableFile(hasSameMounts: Bool) throws(PeerRefusal) -> ExecutableFile {
        let opened = try locateExecutable()
        guard let (facts, mount) = try? opened.inspect(askingServer: false) else { throw .ended }
        let found = ExecutableLocation(
            of: facts, linkedAs: try executableLink(),
            isForeign: { !hasSameMounts || mount.isForeign(to: descriptor) },
            isServed: { mount.server(of: opened, seenBy: descriptor, readsAll: hasSameMounts) == .program })
        let path = PrintableBytes.text(found.path)
        let name = found.path.lastIndex(of: UInt8(ascii: "/")).map { found.path[($0 + 1)...] } ?? found.path[...]
        var interpreter = Interpreter(fileName: PrintableBytes.text(name))
        if interpreter == nil, found.location != .served, found.mayHaveResources,
            Self.holdsElectronApp(found.path.dropLast(name.count))
        {
            interpreter = .electron
        }
        return ExecutableFile(
            path: path, identity: ExecutableIdentity(facts), owner: facts.userID, location: found.location,
            interpreter: interpreter, isAppImage: found.isServed && path.contains("/.mount_"), changed: facts.changed)
    }

    /// Whether the directory of an executable contains an app for Electron, which can then run any other. A directory
    /// that a program of the user's serves is not inspected, and counts as one.
    private static func holdsElectronApp(_ directory: some Collection<UInt8>) -> Bool {
        let resources = directory + Array("resources".utf8)
        do throws(SystemCallFailure) {
            guard try PathWalk(to: resources, entersServed: false).file == nil else { return false }
            return ["/app.asar", "/default_app.asar", "/app/package.json"].contains { name in
                do throws(SystemCallFailure) {
                    _ = try PathWalk(to: resources + Array(name.utf8), entersServed: false)
                    return true
                } catch {
                    return error == .served
                }
            }
        } catch {
            return error == .served
        }
    }
}

/// The file at the path that the kernel's link names.
private struct ExecutableLocation {
    let path: [UInt8]
    let location: ExecutableFile.Location
    /// Whether a program of the user's serves the file (FUSE).
    let isServed: Bool
    /// False where there is no `resources` beside the file.
    let mayHaveResources: Bool

    /// - Parameter isForeign: whether it was opened by no mount that this process sees.
    init(of file: FileFacts, linkedAs link: [UInt8], isForeign: () -> Bool, isServed: () -> Bool) {
        if let walk = try? PathWalk(to: link, entersServed: false), walk.end.point.facts.isSameFile(as: file) {
            path = link
            location = walk.isRootsAlone ? .rootOwned : .userOwned
            self.isServed = false
            mayHaveResources = Self.hasResources(walk.directory.descriptor)
            return
        }
        let mark = Array(" (deleted)".utf8)
        path = link.suffix(mark.count).elementsEqual(mark) ? Array(link.dropLast(mark.count)) : link
        self.isServed = isServed()
        mayHaveResources = true
        // Through another process's root a file can have any path, by that process's own mounts.
        if isForeign() {
            location = .elsewhere
        } else if self.isServed {
            location = .served
        } else {
            location = Self.leadsSomewhere(path) ? .replaced : .deleted
        }
    }

    private static func hasResources(_ directory: Descriptor) -> Bool {
        do throws(SystemCallFailure) {
            _ = try Descriptor.open("resources", in: directory, Descriptor.locate | O_NOFOLLOW)
            return true
        } catch {
            return !error.isMissing
        }
    }

    private static func leadsSomewhere(_ path: [UInt8]) -> Bool {
        do throws(SystemCallFailure) {
            _ = try PathWalk(to: path, entersServed: false)
            return true
        } catch {
            return error == .served
        }
    }
}
