// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import Glibc

extension GitLocation {
    /// The repository's own directory where it is on a file system of this machine: the first that exists of those that
    /// git(1) tries.
    package var repository: String? {
        guard isLocal else { return nil }
        var path = localPath
        while path.last == "/" { path.removeLast() }
        return ["/.git", "", ".git/.git", ".git"].map { path + $0 }.first { access($0 + "/HEAD", F_OK) == 0 }
    }

    private var localPath: String {
        guard let mark = url.firstRange(of: "://") else { return url }
        let path = Self.decoded(url[mark.upperBound...])
        return path.hasPrefix("/") ? path : "//" + path
    }

    /// Without percent-encoding.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            let isEncoded = byte == UInt8(ascii: "%") && digits.utf8.count == 2 && digits.allSatisfy(\.isHexDigit)
            if isEncoded, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension GitCarrier {
    /// The directory of git's own programs; nil where git cannot be started.
    package static func programs(for spool: SpoolDirectory) -> String? {
        do throws(GitFailure) {
            let output = try GitProgram(repository: spool.repository).run(["--exec-path"])
            return String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        } catch {
            return nil
        }
    }
}
