// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Whether sandboxed apps get their master secrets from autofill-secrets. xdg-desktop-portal calls the owner of the
/// Secret Service name, if a `.portal` file names it; `portals.conf`, of the user and of the desktop, selects the back
/// end.
enum SecretPortalState: String {
    /// autofill-secrets answers, and xdg-desktop-portal calls it.
    case works
    /// It answers, and no xdg-desktop-portal runs.
    case idle
    /// It answers, but xdg-desktop-portal does not offer it to apps.
    case notOffered
    /// It does not answer.
    case notServed

    private static let path = "/org/freedesktop/portal/desktop"
    private static let desktop = "org.freedesktop.portal.Desktop"

    init(_ bus: SessionBus) throws(CommandFailure) {
        func answers(_ name: String, _ interface: String) throws(CommandFailure) -> Bool {
            let asked = ["ss", interface, "version"]
            return try bus.call(name, Self.path, "org.freedesktop.DBus.Properties", "Get", asked).elements != nil
        }
        if try !answers(SecretServiceNames.bus, "org.freedesktop.impl.portal.Secret") {
            self = .notServed
        } else if try bus.owner(of: Self.desktop) == nil {
            self = .idle
        } else {
            self = try answers(Self.desktop, "org.freedesktop.portal.Secret") ? .works : .notOffered
        }
    }

    var line: String {
        switch self {
        case .works: "served, and used by xdg-desktop-portal for sandboxed apps"
        case .idle: "served; xdg-desktop-portal does not run"
        case .notOffered:
            "served, but xdg-desktop-portal does not offer it: see portals.conf(5), and restart xdg-desktop-portal.service"
        case .notServed: "not served: the autofill-secrets that owns the name has another version"
        }
    }
}
