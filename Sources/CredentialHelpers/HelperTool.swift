// SPDX-License-Identifier: Apache-2.0

/// A tool that has passwords kept by a helper program. To the daemon the tool is the app, and the helper a delegate that speaks
/// for it; where the helper is not installed as one it speaks as the tool itself.
package enum HelperTool: String, CaseIterable, Sendable {
    case git
    case docker
    case cargo

    /// The program's name, by which the tool finds it in PATH.
    package var program: String { "\(rawValue)-credential-autofill" }

    package var bundleID: String {
        switch self {
        case .git: "org.git-scm.git"
        case .docker: "com.docker.cli"
        case .cargo: "org.rust-lang.cargo"
        }
    }

    /// What the helper is by itself.
    package static let helperID = "autofilld.credential-helper"
    /// The name of the file in the directories of delegates, without `.json`.
    package static let delegate = "autofill-credential"

    /// What a program that was started under this name serves, and how many of its arguments that took: `autofill-credential`
    /// itself has the tool as its first argument.
    package static func started(as arguments: [String]) -> (tool: HelperTool, rest: ArraySlice<String>)? {
        guard let path = arguments.first else { return nil }
        let name = path.split(separator: "/").last.map(String.init)
        if let tool = allCases.first(where: { $0.program == name }) { return (tool, arguments.dropFirst()) }
        guard arguments.count > 1, let tool = HelperTool(rawValue: arguments[1]) else { return nil }
        return (tool, arguments.dropFirst(2))
    }
}
