// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// The file by which a browser finds the host, and lets only our extension start it.
package enum HostManifest {
    /// The name that the extension connects to.
    package static let name = "org.autofilld.browser"
    package static let fileName = "\(name).json"
    /// Of the host's own registration. (`org.autofilld.` is reserved.)
    package static let bundleID = "autofilld.browser"
    /// Of the extension: of the key in Sources/WebExtension/manifest.json.
    package static let chromiumID = "ehmaddlmbpkoooffmodchpfjjepkmenb"
    package static let firefoxID = "passwords@autofilld.org"

    /// The manifest's text for a host at an absolute path.
    package static func text(for family: SupportedBrowser.Family, program: String) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("name")
            writer.string(name)
            writer.key("description")
            writer.string("Passwords of autofilld" as StaticString)
            writer.key("path")
            writer.string(program)
            writer.key("type")
            writer.string("stdio" as StaticString)
            switch family {
            case .chromium:
                writer.key("allowed_origins")
                writer.array { $0.string("chrome-extension://\(chromiumID)/") }
            case .firefox:
                writer.key("allowed_extensions")
                writer.array { $0.string(firefoxID) }
            }
        }
        writer.endLine()
        return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
