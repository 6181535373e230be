// SPDX-License-Identifier: Apache-2.0
import PeerIdentity

/// The evidence of a peer's environment: `.flatpak-info`, the cgroup, the unit's name.
enum SandboxTarget {
    static let seeds = [
        "[Application]\nname=org.example.Shop\n[Instance]\ninstance-id=42\napp-path=/var/lib/flatpak/app/x/files\n",
        "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.example.Shop-4711.scope\n",
        "app-flatpak-org.example.Shop-12.scope", "snap.shop.shop-0d3e.scope",
    ].map { Array($0.utf8) }

    static func run(_ input: [UInt8]) throws {
        if let instance = try? FlatpakInstance(parsing: input) {
            try require(!instance.appID.isEmpty && !instance.appID.contains("/"), "app ID \(instance.appID)")
            if let path = instance.installationPath { try require(path.hasPrefix("/"), "installation \(path)") }
        }
        if let group = ControlGroup(procFile: input) {
            _ = group.unit
            if let app = group.app(of: 1000) { try require(!app.appID.isEmpty, "an app without a name") }
        }
        if let app = AppUnit(unit: String(decoding: input, as: UTF8.self)) {
            try require(!app.appID.isEmpty, "an app without a name")
        }
        let text = PrintableBytes.text(input)
        try require(!text.unicodeScalars.contains { $0.value < 0x20 }, "a control character is left in \(text)")
    }
}
