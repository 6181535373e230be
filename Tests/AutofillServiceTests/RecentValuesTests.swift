// SPDX-License-Identifier: Apache-2.0
import TestGround
import Testing

@testable import AutofillService

@Suite("The values that were used last")
struct RecentValuesTests {
    @Test("One more than the limit replaces the one that has not been used for the longest time, and no other")
    func eviction() {
        var values = RecentValues<Int, String>(limit: 3)
        for key in 1...3 { values[key] = "\(key)" }
        #expect(values[1] == "1")
        values.change(3, or: "") { $0 += "!" }
        values[4] = "4"
        #expect(Set(values.keys) == [1, 3, 4])
        #expect(values[3] == "3!")
        values[5] = "5"
        #expect(Set(values.keys) == [3, 4, 5])
    }

    @Test("Any order of uses, changes and removals leaves what a list in the order of use has", arguments: 1...20)
    func model(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let limit = Int.random(in: 1...8, using: &random)
        var values = RecentValues<Int, Int>(limit: limit)
        var model: [(key: Int, value: Int)] = []  // the oldest first
        func use(_ key: Int, _ value: Int?) {
            let former = model.firstIndex { $0.key == key }.map { model.remove(at: $0) }
            if let value = value ?? former?.value { model.append((key, value)) }
            if model.count > limit { model.removeFirst() }
        }
        for step in 0..<500 {
            let key = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                values[key] = step
                use(key, step)
            case 3...4:
                #expect(values[key] == model.first { $0.key == key }?.value)
                use(key, nil)
            case 5:
                let former = model.first { $0.key == key }?.value
                values.change(key, or: -step) { $0 += 1 }
                use(key, (former ?? -step) + 1)
            case 6:
                values[key] = nil
                model.removeAll { $0.key == key }
            default:
                if step % 50 == 0 {
                    values.removeAll()
                    model = []
                }
            }
            #expect(Set(values.keys) == Set(model.map(\.key)) && values.keys.count == model.count)
        }
    }
}
