// SPDX-License-Identifier: Apache-2.0

/// The position of a process in the tree of control groups, and its unit.
package struct ControlGroup: Hashable, Sendable {
    /// The path of the unified hierarchy, made printable.
    package let path: String
    /// The user of the service manager that the unit belongs to; nil for the system's.
    package let manager: UInt32?
    /// The unit: the first component of the path below the slices. Groups that an app made below it do not count.
    package let unit: String?
    /// The login session, where the unit is `session-N.scope`.
    package let session: String?

    /// The app that the unit is named after, if it is a unit of `user`'s own manager.
    package func app(of user: UInt32) -> AppUnit? {
        guard manager == user else { return nil }
        return unit.flatMap { AppUnit(unit: $0) }
    }

    /// Reads the content of `/proc/PID/cgroup`. Only the line `0::PATH` counts; nil without one.
    package init?(procFile bytes: some Collection<UInt8>) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let line = lines.first(where: { $0.starts(with: Array("0::/".utf8)) }) else { return nil }
        self.init(path: line.dropFirst(3))
    }

    private init(path bytes: some Collection<UInt8>) {
        path = PrintableBytes.text(bytes)
        // systemd writes an underscore before a name that the kernel uses itself.
        // A name that is not UTF-8 is no unit's: nothing that systemd made is read from a repaired one.
        guard let text = String(validating: bytes, as: UTF8.self), !text.hasSuffix(" (deleted)") else {
            (manager, unit, session) = (nil, nil, nil)
            return
        }
        var components = text.split(separator: "/").map { $0.hasPrefix("_") ? $0.dropFirst() : $0 }[...]
        var manager: UInt32?
        if let index = components.firstIndex(where: { Self.number(in: $0, after: "user@", before: ".service") != nil })
        {
            manager = Self.number(in: components[index], after: "user@", before: ".service")
            components = components[(index + 1)...]
        }
        self.manager = manager
        components = components.drop { $0.hasSuffix(".slice") }
        unit = components.first.flatMap { component in
            (component.hasSuffix(".scope") || component.hasSuffix(".service")) && AppUnit.isUnitName(component)
                ? String(component) : nil
        }
        session = unit.flatMap { Self.text(in: $0[...], after: "session-", before: ".scope") }.map { String($0) }
    }

    private static func text(in component: Substring, after prefix: String, before suffix: String) -> Substring? {
        guard component.hasPrefix(prefix), component.hasSuffix(suffix), component.count > prefix.count + suffix.count
        else {
            return nil
        }
        return component.dropFirst(prefix.count).dropLast(suffix.count)
    }

    private static func number(in component: Substring, after prefix: String, before suffix: String) -> UInt32? {
        text(in: component, after: prefix, before: suffix).flatMap { UInt32($0) }
    }
}
