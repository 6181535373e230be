// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The name that was probably meant: at most a third of its letters away (insertions, deletions, replacements, swaps),
    /// and none when nothing is that near. Upper and lower case count as the same letter.
    package func nearest(of names: [String]) -> String? {
        guard utf8.count <= 128 else { return nil }
        let own = Array(lowercased().utf8)
        let ranked = names.map { (name: $0, distance: own.distance(to: Array($0.lowercased().utf8))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }),
            best.distance <= Swift.max(1, best.name.utf8.count / 3)
        else { return nil }
        return best.name
    }
}

extension [UInt8] {
    /// The edit distance in which two adjacent letters that changed places are one edit (optimal string alignment), one row at a
    /// time.
    fileprivate func distance(to other: [UInt8]) -> Int {
        var (beforeLast, last, row) = ([Int](), [Int](), Array<Int>(0...other.count))
        for (index, byte) in enumerated() {
            (beforeLast, last) = (last, row)
            row[0] = index + 1
            for (column, wanted) in other.enumerated() {
                var best = Swift.min(last[column] + (byte == wanted ? 0 : 1), last[column + 1] + 1, row[column] + 1)
                if index > 0, column > 0, byte == other[column - 1], self[index - 1] == wanted {
                    best = Swift.min(best, beforeLast[column - 1] + 1)
                }
                row[column + 1] = best
            }
        }
        return row[other.count]
    }
}
