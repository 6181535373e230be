// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains

extension Setting {
    /// A type of setting, with the key path of its value.
    enum Kind {
        case bool(WritableKeyPath<DaemonSettings, Bool>)
        case integer(WritableKeyPath<DaemonSettings, Int>, ClosedRange<Int>)
        /// One of the names; `write` is called with one of them only.
        case choice([String], read: (DaemonSettings) -> String, write: (inout DaemonSettings, String) -> Void)
        case path(WritableKeyPath<DaemonSettings, AbsolutePath?>)
        case switches(WritableKeyPath<DaemonSettings, [BundleIdentifier: Bool]>, atMost: Int)

        static func choice<Choice: RawRepresentable<String> & CaseIterable>(
            _ path: WritableKeyPath<DaemonSettings, Choice>
        ) -> Kind {
            .choice(
                Choice.allCases.map(\.rawValue), read: { $0[keyPath: path].rawValue },
                write: { settings, name in
                    if let choice = Choice(rawValue: name) { settings[keyPath: path] = choice }
                })
        }
    }

    /// The JSON type, for users.
    package var type: String {
        switch kind {
        case .bool: "boolean"
        case .integer: "integer"
        case .choice: "string"
        case .path: "string or null"
        case .switches: "object of booleans"
        }
    }

    /// The allowed values, for users.
    package var range: String {
        switch kind {
        case .bool: "true or false"
        case .integer(_, let range): "\(range.lowerBound) to \(range.upperBound)"
        case .choice(let names, _, _): names.joined(separator: ", ")
        case .path: "an absolute path, or null"
        case .switches(_, let limit): "bundle IDs, \(limit) at most"
        }
    }
}
