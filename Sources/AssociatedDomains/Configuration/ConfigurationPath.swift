// SPDX-License-Identifier: Apache-2.0

/// A position in a configuration file: `entitlements."com.apple.developer.associated-domains"[2]`. The text is made
/// only when a finding needs it.
package indirect enum ConfigurationPath: Hashable, Sendable {
    /// The whole file.
    case file
    case member(String, of: ConfigurationPath)
    /// Counted from 0.
    case element(Int, of: ConfigurationPath)

    package subscript(name: String) -> ConfigurationPath { .member(name, of: self) }

    package subscript(index: Int) -> ConfigurationPath { .element(index, of: self) }
}

extension ConfigurationPath: CustomStringConvertible {
    /// Empty for the whole file. A name that is not an identifier is quoted.
    package var description: String {
        switch self {
        case .file: ""
        case .member(let name, .file): Self.written(name)
        case .member(let name, let parent): "\(parent).\(Self.written(name))"
        case .element(let index, let parent): "\(parent)[\(index)]"
        }
    }

    /// Without quotation marks where it is letters, digits, `_` and `$` only.
    private static func written(_ name: String) -> String {
        let isIdentifier =
            !name.isEmpty && name.utf8.count <= 128
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
                default: false
                }
            }
        return isIdentifier ? name : name.quoted
    }
}
