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
        let components = text.split(separator: "/").map { $0.hasPrefix("_") ? $0.dropFirst() : $0 }[...]
        let found = Self.manager(in: components)
        manager = found?.user
        let below = components.dropFirst(found?.depth ?? 0).drop { $0.hasSuffix(".slice") }
        unit = below.first.flatMap { component in
            (component.hasSuffix(".scope") || component.hasSuffix(".service")) && AppUnit.isUnitName(component)
                ? String(component) : nil
        }
        session = unit.flatMap { Self.text(in: $0[...], after: "session-", before: ".scope") }.map { String($0) }
    }

    /// The user of the service manager whose group the path begins with, and how many components name that: the group
    /// that systemd makes, from the root or where a namespace of control groups begins. A program can make a group of
    /// the same name elsewhere.
    private static func manager(in components: ArraySlice<Substring>) -> (user: UInt32, depth: Int)? {
        let depth = components.first == "user.slice" ? 3 : 1
        guard let last = components.dropFirst(depth - 1).first,
            let user = number(in: last, after: "user@", before: ".service"),
            depth == 1 || components.dropFirst().first?.elementsEqual("user-\(user).slice") == true
        else { return nil }
        return (user, depth)
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
