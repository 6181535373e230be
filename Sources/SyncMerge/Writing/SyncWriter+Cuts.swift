// SPDX-License-Identifier: Apache-2.0

extension SyncWriter {
    /// Writes again what files of this machine's former ids published that would not count under new cuts: values with their times,
    /// deletions, and counters. For use before `SyncState.setCuts`.
    ///
    /// - Returns: the new mark of each value.
    package mutating func keep(_ former: Set<DeviceID>, under cuts: [DeviceID: UInt64]) -> [Mark: Mark] {
        func isLost(_ origin: FileOrigin) -> Bool {
            former.contains(origin.device) && cuts[origin.device].map { origin.sequence > $0 } ?? false
        }
        var renewed: [Mark: Mark] = [:]
        for id in state.records.keys.sorted() {
            guard let record = state.records[id] else { continue }
            for element in record.elements where isLost(element.stamp.origin) {
                let random = entropy.next()
                add(element.value, to: id, at: element.stamp.time, random: random)
                renewed[element.mark] = Mark(
                    of: Stamp(time: element.stamp.time, origin: origin, random: random))
            }
            for (mark, origins) in record.dead.sorted(by: { $0.key < $1.key }) {
                if let new = renewed[mark] {
                    emit(.dead(id, new, by: origin))
                } else if origins.allSatisfy(isLost) {
                    emit(.dead(id, mark, by: origin))
                }
            }
            for (mark, origins) in record.gone.sorted(by: { $0.key < $1.key }) where origins.allSatisfy(isLost) {
                emit(.gone(id, mark, by: origin))
            }
        }
        for (nonce, counters) in state.counters.sorted(by: { $0.key < $1.key }) {
            for (device, counter) in counters where isLost(FileOrigin(device: device, sequence: counter.sequence)) {
                emit(.counter(nonce, counter.value, by: origin))
            }
        }
        return renewed
    }
}
