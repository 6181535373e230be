// SPDX-License-Identifier: Apache-2.0
import Credentials
import SyncMerge
import Testing

@testable import AutofillService
@testable import CredentialStorage

@Suite("What was found of copies that write under the id of a machine")
struct SyncFindingsTests {
    private func twins(_ machines: UInt128..., sequences: ClosedRange<UInt64>) -> Set<TwinFiles> {
        let all = machines.flatMap { machine in
            sequences.map { TwinFiles(device: DeviceID(rawValue: machine), sequence: $0) }
        }
        return Set(all)
    }

    @Test("The journal states it of a machine at most once a day, of however many files")
    func onceADay() {
        var findings = SyncFindings()
        let day = Int64(SyncFindings.repeatMilliseconds)
        func note(_ twins: Set<TwinFiles>, at time: Int64) -> [UInt128] {
            findings.note(twins, at: Timestamp(milliseconds: time)).map(\.rawValue)
        }
        #expect(note(twins(1, 2, sequences: 1...3), at: day) == [1, 2])
        #expect(note(twins(1, 3, sequences: 4...6), at: 2 * day - 1) == [3])
        #expect(note(twins(1, 3, sequences: 7...7), at: 2 * day) == [1])
        #expect(note([], at: 9 * day) == [])
    }
}
