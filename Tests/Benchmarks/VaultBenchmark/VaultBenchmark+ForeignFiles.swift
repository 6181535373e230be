// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Glibc
import SyncCarrier

extension VaultBenchmark {
    /// A round of the carrier in a folder that has 100,000 files of others: half of them in a directory of the group, half
    /// beside it.
    func foreignFiles() throws {
        let root = directory + "/foreign", folder = root + "/folder", spool = root + "/spool"
        let group = String(repeating: "a", count: 32)
        let devices = ["1", "2"].map { String(repeating: "0", count: 31) + $0 }
        let other = "\(folder)/\(group)/\(devices[1])"
        for path in [other, spool] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for number in 0..<100_000 {
            let file = open("\(number % 2 == 0 ? other : folder)/photo-\(number).jpeg", O_CREAT | O_WRONLY, 0o600)
            guard file >= 0 else { throw BenchmarkFailure.carrier("no file \(number)") }
            close(file)
        }
        var carrier = FolderCarrier(
            folder: folder, own: CarrierConfiguration.Own(group: group, device: devices[0]),
            spool: SpoolDirectory(spool))
        let clock = ContinuousClock()
        for name in ["the first round among 100,000 foreign files", "a further round among them"] {
            let start = clock.now
            if let problem = carrier.round(at: now.milliseconds).problem {
                throw BenchmarkFailure.carrier(problem.detail)
            }
            figure(name, (clock.now - start) / .seconds(1), "s", atMost: 1)
        }
    }
}
