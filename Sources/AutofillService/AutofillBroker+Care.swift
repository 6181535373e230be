// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory
internal import Settings

/// What happens beside requests.
extension AutofillBroker {
    /// One line for `systemctl status`.
    package var statusLine: String {
        let saved = vault.opened?.counts.map { ", " + Self.counted($0.credentials, "credential") } ?? ""
        return "Vault \(vault.word)\(saved), \(Self.counted(clients.count, "client"))"
    }

    private static func counted(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// The same, when it has changed since it was last taken.
    package func takeChangedStatusLine() -> String? {
        let line = statusLine
        defer { lastStatusLine = line }
        return line == lastStatusLine ? nil : line
    }

    /// A vault in memory, with the key of the file, where there is one, or a key that nobody knows.
    package func createEphemeralVault(keyFile: String?) throws {
        guard let open = vault.opened else { return }
        let key =
            try keyFile.map { try KeyFile.read($0) }
            ?? SecretBytes(count: Limits.keyBytes) { memory in
                for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &entropy) }
            }
        let slot = try NewSlot.derive(
            from: .key(key), label: "key", cost: PassphraseCost.least, using: &entropy)
        try open.create([slot], at: now)
    }
}
