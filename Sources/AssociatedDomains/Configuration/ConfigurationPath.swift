// SPDX-License-Identifier: Apache-2.0

/// Where in a configuration file something stands: `entitlements."com.apple.developer.associated-domains"[2]`. Written
/// out only when there is something to say about it.
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
    /// Empty for the whole file. A name that is not a plain word is quoted.
    package var description: String {
        switch self {
        case .file: ""
        case .member(let name, .file): name.isWord ? name : name.quoted
        case .member(let name, let parent): "\(parent).\(name.isWord ? name : name.quoted)"
        case .element(let index, let parent): "\(parent)[\(index)]"
        }
    }
}

extension String {
    /// Letters, digits, `_` and `$` only.
    fileprivate var isWord: Bool {
        !isEmpty && utf8.count <= 128
            && unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
                default: false
                }
            }
    }
}
