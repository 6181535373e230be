// SPDX-License-Identifier: Apache-2.0
import AssociatedDomains
import AutofillProtocol

extension SyncDevice {
    /// The user's name for it; the beginning of its id while that is not known.
    var label: String { name.isEmpty ? String(device.prefix(8)) : name.printable }

    fileprivate var state: String {
        if isFormer == true { return isMember ? "former id of this machine" : "former id, removed" }
        return switch (isThis, isMember) {
        case (true, true): "this machine"
        case (true, false): "this machine, removed"
        case (false, true): "member"
        case (false, false): "removed"
        }
    }
}

extension [SyncDevice] {
    /// The machine that is named by its name, its id, or the beginning of its id; members count before removed ones.
    func named(_ text: String) throws(CommandFailure) -> SyncDevice {
        if let device = first(where: { $0.device == text }) { return device }
        let named = filter { $0.name == text }
        let fitting = named.isEmpty && text.utf8.count >= 6 ? filter { $0.device.hasPrefix(text) } : named
        let members = fitting.filter(\.isMember)
        let found = members.isEmpty ? fitting : members
        if found.count == 1, let device = found.first { return device }
        if found.isEmpty {
            let near = text.nearest(of: map(\.name))
            throw CommandFailure(
                .notFound, "No machine of the group is called “\(text.printable)”",
                fix: near.map { CommandLineFix.fix(text, $0) } ?? "Name one of: \(listed)")
        }
        throw CommandFailure(
            .usage, "\(found.count) machines of the group are called “\(text.printable)”",
            fix: "Name one by its id: \(found.listed). Where it is one machine that has two ids, after a restore, "
                + "remove both")
    }

    private var listed: String { map { "\($0.label) (\($0.device))" }.joined(separator: ", ") }
}

extension Table {
    /// The machines of a group.
    init(_ devices: [SyncDevice]) {
        self = Table("MACHINE", "STATE", "LAST MERGED", "MISSING", "ID")
        for device in devices {
            let merged = device.merged?.minute ?? (device.isThis ? "" : "never")
            add(
                device.name.isEmpty ? "?" : device.name, device.state, merged,
                device.missing == 0 ? "" : device.missing.counted("change"), device.device)
        }
    }
}
