// SPDX-License-Identifier: Apache-2.0

/// How far the engine has come, and what it has reported of that.
struct EngineStatus {
    /// What would have to wait is refused.
    var isStopping = false
    /// Whether anything was answered, and whether what reads forms is to be built once something was.
    var hasAnswered = false
    var hasFormsToPrepare = false
    /// The state that the status line has reported.
    var reported: Shown?

    /// What the status line shows.
    struct Shown: Equatable {
        let vault: String
        let credentials: Int?
        let clients: Int

        var line: String {
            let saved = credentials.map { ", " + Self.counted($0, "credential") } ?? ""
            return "Vault \(vault)\(saved), \(Self.counted(clients, "client"))"
        }

        private static func counted(_ number: Int, _ noun: String) -> String {
            "\(number) \(noun)\(number == 1 ? "" : "s")"
        }
    }
}
