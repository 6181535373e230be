// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop
internal import SecretMemory
internal import Systemd

/// A request of xdg-desktop-portal for an app's master secret, from its call to the answer.
final class PortalRequest {
    /// The object on which the portal calls, and below which requests lie.
    static let desktop = "/org/freedesktop/portal/desktop"
    /// What the daemon calls xdg-desktop-portal, by the root-owned registration that names its executables. No Flatpak can be called
    /// so: none of its name's parts begins with a digit.
    static let portal = "org.freedesktop.portal.Desktop.1"
    /// The bytes of a master secret, as gnome-keyring draws them.
    static let secretBytes = 64

    /// The request's object, at which the portal closes it.
    let handle: String
    let appID: String
    /// The unique name on the bus of who asked the portal.
    let asker: String
    /// Whom the daemon takes the asker for, once it has said so.
    var app: String?
    /// Whether it looks for the secret: one at a time for an app, that none draws a second one.
    var isUnderWay = false
    var task: Task<Result<SecretBytes, BusError>, Never>?
    let ended: WaitList<Void>

    /// - Parameter handle: `/org/freedesktop/portal/desktop/request/1_42/TOKEN`, where `1_42` is the asker `:1.42`.
    init(_ handle: String, appID: String, on loop: EventLoop) throws(BusError) {
        let prefix = Self.desktop + "/request/"
        let parts = handle.split(separator: "/", omittingEmptySubsequences: false).suffix(2)
        guard handle.hasPrefix(prefix), let sender = parts.first, parts.count == 2,
            handle == "\(prefix)\(sender)/\(parts[parts.endIndex - 1])", sender.utf8.allSatisfy(Self.mayStandInName)
        else { throw .invalid("The handle does not tell who asks") }
        // An attribute has 255 bytes, as an app's name does. Outside of sandboxes apps have no name, and Secret Service itself.
        guard (1...255).contains(appID.utf8.count) else { throw .invalid("The app has no name") }
        (self.handle, self.appID) = (handle, appID)
        asker = ":" + sender.map { $0 == "_" ? "." : String($0) }.joined()
        ended = WaitList(on: loop)
    }

    private static func mayStandInName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }

    /// The attribute by which gnome-keyring and others keep such a secret, and find it.
    var attributes: [String: String] { ["app_id": appID] }
    /// The schema under which it is kept; items of before have another one, or none.
    static let schema = [SecretServiceNames.schema: "org.freedesktop.portal.Secret"]

    /// Whether an item is such a secret: one of the app's other items may name it too.
    func fits(_ item: SecretItem) -> Bool {
        !item.isWithheld && !SessionItems.has(item.id)
            && item.attributes.filter { $0.key != SecretServiceNames.schema } == attributes
    }

    /// The id of the one that the app has: of two that were drawn at once, the first. Of those of one second it is the first that a
    /// search finds, which is in the order of milliseconds.
    func oldest(of items: [SecretItem]) -> String? {
        items.filter(fits).min { $0.created < $1.created }?.id
    }

    /// What the daemon is told of the asker, for the person.
    var evidence: String { "D-Bus \(asker), by xdg-desktop-portal as \(appID)" }
}
