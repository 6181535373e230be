// SPDX-License-Identifier: Apache-2.0
internal import PathInspection
package import PeerIdentity

extension InspectedPeer {
    /// Whether it is an interpreter whose paths and users are ours: then its arguments may name what it runs.
    package var mayRunScript: Bool {
        guard case .file(let file) = evidence.executable, file.interpreter != nil else { return false }
        return evidence.isOutsideSandbox
    }

    /// The script that it was started to run, by its arguments and its working directory now; nil where they name none,
    /// where there is no file of at most that size, and where a program of the user's serves it (FUSE).
    ///
    /// Reads the process's memory and the whole file: it may hang, and must not run on an event loop.
    package func script(upTo longest: UInt64) -> Script? {
        guard mayRunScript, case .file(let file) = evidence.executable, let arguments = directory.arguments(),
            let name = file.interpreter?.script(in: arguments),
            let path = name.first == UInt8(ascii: "/")
                ? name : directory.workingDirectory().map({ $0 + [0x2F] + name }),
            let walk = try? PathWalk(to: path, entersServed: false), walk.end.point.facts.isRegular,
            let content = try? ReadContent(walk.end.descriptor, upTo: longest),
            // The process is unchanged after the file was read: it has executed no other program, and has the same
            // arguments.
            (try? confirm()) != nil, directory.arguments() == arguments
        else { return nil }
        return Script(path: PrintableBytes.text(walk.end.point.path.utf8), hash: content.hash)
    }
}
