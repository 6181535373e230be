// SPDX-License-Identifier: Apache-2.0

/// A tool that stores passwords through a helper program. To the daemon the tool is the app, and the helper its
/// delegate; a helper that is not installed as a delegate connects as the tool itself.
package enum HelperTool: String, CaseIterable, Sendable {
    case git
    case docker
    case cargo

    /// The name of the program, by which the tool finds it in PATH.
    package var program: String { "\(rawValue)-credential-autofill" }

    package var bundleID: String {
        switch self {
        case .git: "org.git-scm.git"
        case .docker: "com.docker.cli"
        case .cargo: "org.rust-lang.cargo"
        }
    }

    /// The helper's own bundle ID.
    package static let helperID = "autofilld.credential-helper"
    /// The name of the file in the directories of delegates, without `.json`.
    package static let delegate = "autofill-credential"

    /// The tool that a program of this name serves, and the remaining arguments: `autofill-credential` itself has the
    /// tool as its first argument.
    package static func started(as arguments: [String]) -> (tool: HelperTool, rest: ArraySlice<String>)? {
        guard let path = arguments.first else { return nil }
        let name = path.split(separator: "/").last.map(String.init)
        if let tool = allCases.first(where: { $0.program == name }) { return (tool, arguments.dropFirst()) }
        guard arguments.count > 1, let tool = HelperTool(rawValue: arguments[1]) else { return nil }
        return (tool, arguments.dropFirst(2))
    }
}
