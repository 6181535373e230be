// SPDX-License-Identifier: Apache-2.0

/// An object of a configuration file with expected members only: unknown and repeated ones are findings.
package struct ConfigurationObject: Sendable {
    package let path: ConfigurationPath
    private let members: [String: ConfigurationValue]

    /// nil (and a finding) when the value is no object.
    package init?(
        _ value: ConfigurationValue, at path: ConfigurationPath = .file, knowing names: [String],
        _ findings: inout ConfigurationFindings
    ) {
        guard case .object(let listed) = value else {
            value.refuseKind(at: path, wanted: "an object", &findings)
            return nil
        }
        var members: [String: ConfigurationValue] = [:]
        for member in listed {
            if !names.contains(member.name) {
                let nearest = member.name.nearest(of: names)
                findings.refuse(
                    path[member.name], "There is no such member.",
                    fix: nearest.map { "Did you mean \($0.quoted)?" }
                        ?? "Remove it; the allowed names are: \(names.listed).")
            } else if members.updateValue(member.value, forKey: member.name) != nil {
                findings.refuse(path[member.name], "The member occurs twice.", fix: "Keep one of them.")
            }
        }
        self.path = path
        self.members = members
    }

    package subscript(name: String) -> ConfigurationValue? { members[name] }

    /// A member that must be there.
    package func required(_ name: String, _ findings: inout ConfigurationFindings) -> ConfigurationValue? {
        if let value = members[name] { return value }
        findings.refuse(path[name], "The member is missing.", fix: "Add \(name.quoted).")
        return nil
    }
}

extension [String] {
    /// The names, quoted, for a sentence.
    package var listed: String { map(\.quoted).joined(separator: ", ") }
}
