// SPDX-License-Identifier: Apache-2.0
import Foundation

// The cost of the vault, against bare SQLite in the same run. Runs for a minute or two, hence not part of the tests:
// AUTOFILL_BENCH=1 swift run -c release VaultBenchmark [DIRECTORY]
guard ProcessInfo.processInfo.environment["AUTOFILL_BENCH"] == "1" else {
    print("Set AUTOFILL_BENCH=1 to run the benchmark of the vault.")
    exit(0)
}
let parent = CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory()
let directory = parent + "/autofilld-vault-benchmark-\(getpid())"
defer { try? FileManager.default.removeItem(atPath: directory) }
try VaultBenchmark(directory: directory).run()
