// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

extension DaemonSettings {
    /// Sets one setting to what it is in others.
    mutating func take(_ setting: Setting, from other: DaemonSettings) {
        switch setting.kind {
        case .bool(let path): self[keyPath: path] = other[keyPath: path]
        case .integer(let path, _): self[keyPath: path] = other[keyPath: path]
        case .choice(_, let read, let write): write(&self, read(other))
        case .path(let path): self[keyPath: path] = other[keyPath: path]
        case .switches(let path, _): self[keyPath: path] = other[keyPath: path]
        }
    }

    /// Changes one setting.
    package mutating func set(_ setting: Setting, to value: ConfigurationValue) throws(ConfigurationMistakes) {
        var findings = ConfigurationFindings()
        var changed = self
        changed.read(setting, from: value, at: .file[setting.name], &findings)
        self = try findings.accept(changed)
    }

    /// The setting as its file would have it.
    package func value(of setting: Setting) -> ConfigurationValue {
        switch setting.kind {
        case .bool(let path): .bool(self[keyPath: path])
        case .integer(let path, _): .integer(self[keyPath: path])
        case .choice(_, let read, _): .string(read(self))
        case .path(let path): self[keyPath: path].map { .string($0.text) } ?? .null
        case .switches(let path, _):
            .object(
                self[keyPath: path].sorted { $0.key < $1.key }
                    .map { ConfigurationValue.Member(name: $0.key.text, value: .bool($0.value)) })
        }
    }

    mutating func read(
        _ setting: Setting, from value: ConfigurationValue, at path: ConfigurationPath,
        _ findings: inout ConfigurationFindings
    ) {
        switch setting.kind {
        case .bool(let keyPath):
            if let bool = value.bool(at: path, &findings) { self[keyPath: keyPath] = bool }
        case .integer(let keyPath, let range):
            if let integer = value.integer(in: range, at: path, &findings) { self[keyPath: keyPath] = integer }
        case .choice(let names, _, let write):
            guard let name = value.string(at: path, &findings) else { return }
            guard names.contains(name) else {
                let nearest = name.nearest(of: names).map { "Did you mean \($0.quoted)?" }
                return findings.refuse(
                    path, "\(name.quoted) is no choice here.", fix: nearest ?? "Write one of \(names.listed).")
            }
            write(&self, name)
        case .path(let keyPath):
            if value == .null {
                self[keyPath: keyPath] = nil
            } else if let text = value.checked(at: path, &findings, AbsolutePath.init) {
                self[keyPath: keyPath] = text
            }
        case .switches(let keyPath, let limit):
            if let switches = Self.switches(value, atMost: limit, at: path, &findings) {
                self[keyPath: keyPath] = switches
            }
        }
    }

    private static func switches(
        _ value: ConfigurationValue, atMost limit: Int, at path: ConfigurationPath,
        _ findings: inout ConfigurationFindings
    ) -> [BundleIdentifier: Bool]? {
        guard case .object(let members) = value else {
            value.refuseKind(at: path, wanted: "an object", &findings)
            return nil
        }
        guard members.count <= limit else {
            findings.refuse(path, "There are \(members.count) apps.", fix: "Keep it to \(limit) apps at most.")
            return nil
        }
        var switches: [BundleIdentifier: Bool] = [:]
        for member in members {
            let memberPath = path[member.name]
            let app = ConfigurationValue.string(member.name).checked(at: memberPath, &findings) {
                text throws(BundleIdentifierError) in try BundleIdentifier(text)
            }
            guard let bool = member.value.bool(at: memberPath, &findings), let app else { continue }
            if switches.updateValue(bool, forKey: app) != nil {
                findings.refuse(memberPath, "The app occurs twice.", fix: "Keep one of them.")
            }
        }
        return switches
    }
}
