// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The daemon's program that belongs to this autofillctl.
package enum DaemonProgram {
    /// The path of this program.
    package static var own: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The one named, else the one beside this program, else the first in PATH.
    package static func find(named path: String?, _ environment: ProcessEnvironment) throws(CommandFailure) -> String {
        if let path {
            guard isProgram(path) else {
                throw CommandFailure(.noInput, "\(path.printable) is not a program", fix: "Name the program autofilld")
            }
            return path
        }
        let beside = own.flatMap { own in own.lastIndex(of: "/").map { String(own[..<$0]) } }
        let directories =
            [beside].compactMap(\.self) + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for directory in directories where isProgram("\(directory)/autofilld") { return "\(directory)/autofilld" }
        throw CommandFailure(
            .noInput, "autofilld is neither beside this program nor in PATH", fix: "Name it: --daemon PATH")
    }

    /// The folder of the web extension: beside the folder of this program, where systemd/install copies it for all
    /// users or for one; in a checkout among the sources.
    static var extensionFolder: String {
        let prefix = (own ?? "").split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        let folders = ["share/autofilld/webextension", "lib/autofilld/webextension"].map { "\(prefix)/\($0)" }
        return folders.first { access("\($0)/manifest.json", R_OK) == 0 } ?? "Sources/WebExtension"
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
