// SPDX-License-Identifier: Apache-2.0
import Foundation

// The cost of the vault, against bare SQLite in the same run, and of sync. Runs for some minutes, hence not part of the tests:
// AUTOFILL_BENCH=1 swift run -c release VaultBenchmark [--only vault|sync] [--long] [DIRECTORY]
guard ProcessInfo.processInfo.environment["AUTOFILL_BENCH"] == "1" else {
    print("Set AUTOFILL_BENCH=1 to run the benchmark of the vault.")
    exit(0)
}
var arguments = Array(CommandLine.arguments.dropFirst())
var part: String?
if let option = arguments.firstIndex(of: "--only"), option + 1 < arguments.count {
    part = arguments[option + 1]
    arguments.removeSubrange(option...option + 1)
}
let parent = arguments.first { !$0.hasPrefix("--") } ?? NSTemporaryDirectory()
let directory = parent + "/autofilld-vault-benchmark-\(getpid())"
defer { try? FileManager.default.removeItem(atPath: directory) }
let benchmark = VaultBenchmark(directory: directory, isLong: arguments.contains("--long"))
if part != "sync" { try benchmark.run() }
if part != "vault" { try benchmark.sync() }
