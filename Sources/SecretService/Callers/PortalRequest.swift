// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import SecretMemory
internal import Systemd

/// A request of xdg-desktop-portal for an app's master secret, from the call to the answer.
final class PortalRequest {
    /// The object that the portal calls, and below which requests are.
    static let desktop = "/org/freedesktop/portal/desktop"
    /// The daemon's bundle ID of xdg-desktop-portal, from the root-owned registration that names its executables. No
    /// Flatpak can have this ID: no component of its name begins with a digit.
    static let portal = "org.freedesktop.portal.Desktop.1"
    /// The bytes of a master secret, as in gnome-keyring.
    static let secretBytes = 64

    /// The path of the request, at which the portal closes it.
    let handle: String
    let appID: String
    /// The unique name on the bus of the portal's caller.
    let requester: String
    /// The requester's bundle ID, once the daemon has identified it.
    var app: String?
    /// Whether the secret is being searched or created: one request at a time for an app, so that no second secret is
    /// created.
    var isUnderWay = false
    var task: Task<Result<SecretBytes, BusError>, Never>?
    let ended: WaitList<Void>

    /// - Parameter handle: `/org/freedesktop/portal/desktop/request/1_42/TOKEN`, where `1_42` is the requester `:1.42`.
    init(_ handle: String, appID: String, on loop: EventLoop) throws(BusError) {
        let prefix = Self.desktop + "/request/"
        let components = handle.split(separator: "/", omittingEmptySubsequences: false).suffix(2)
        guard handle.hasPrefix(prefix), let sender = components.first, components.count == 2,
            handle == "\(prefix)\(sender)/\(components[components.endIndex - 1])",
            sender.utf8.allSatisfy(Self.isNameByte)
        else { throw .invalid("The handle does not name the caller") }
        // An attribute has at most 255 bytes, and so has an app's name. Apps outside of sandboxes have no name, and use
        // the Secret Service itself.
        guard (1...255).contains(appID.utf8.count) else { throw .invalid("The app has no name") }
        (self.handle, self.appID) = (handle, appID)
        requester = ":" + sender.map { $0 == "_" ? "." : String($0) }.joined()
        ended = WaitList(on: loop)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }

    /// The attribute by which gnome-keyring and others store such a secret, and find it.
    var attributes: [String: String] { ["app_id": appID] }
    /// The schema of stored secrets; older items have another one, or none.
    static let schema = [SecretServiceNames.schema: "org.freedesktop.portal.Secret"]

    /// Whether an item is such a secret: other items of the app may name it too.
    func fits(_ item: SecretItem) -> Bool {
        !item.isWithheld && !SessionItems.has(item.id)
            && item.attributes.filter { $0.key != SecretServiceNames.schema } == attributes
    }

    /// The id of the app's secret: if two were created at the same time, the first one. Of those of one second it is
    /// the first that a search returns, in the order of milliseconds.
    func oldest(of items: [SecretItem]) -> String? {
        items.filter(fits).min { $0.created < $1.created }?.id
    }

    /// What the daemon displays of the requester to the user.
    var evidence: String { "D-Bus \(requester), by xdg-desktop-portal as \(appID)" }
}
