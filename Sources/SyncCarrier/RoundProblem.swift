// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// Why a round did not do all that it should.
package struct RoundProblem: Hashable, Sendable {
    package let code: CarrierProblem
    /// One line, at most 200 bytes.
    package let detail: String

    package init(_ code: CarrierProblem, _ detail: String) {
        self.code = code
        self.detail = Self.line(detail)
    }

    /// Of several problems the first one of this order is reported.
    private static let order: [CarrierProblem] = [
        .folderMissing, .folderUnreadable, .folderFull, .gitRejected, .gitFailed, .tooManyFiles, .tooLarge,
        .incompleteFiles,
    ]

    /// The one of several that is reported.
    static func first(of problems: [RoundProblem]) -> RoundProblem? {
        order.lazy.compactMap { code in problems.first { $0.code == code } }.first
    }

    /// On one line, without the user names and passwords of URLs, and cut off.
    private static func line(_ text: String) -> String {
        var line = ""
        for scalar in withoutCredentials(text).unicodeScalars {
            let isPlain = scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
            line.unicodeScalars.append(isPlain ? scalar : " ")
        }
        while line.utf8.count > CarrierLimits.detailBytes { line.unicodeScalars.removeLast() }
        return line
    }

    private static func withoutCredentials(_ text: String) -> String {
        var result = "", rest = Substring(text)
        while let start = rest.firstRange(of: "://") {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let authority = rest.prefix { !"/ '\"\n\t".contains($0) }
            if let at = authority.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        }
        return result + rest
    }
}
