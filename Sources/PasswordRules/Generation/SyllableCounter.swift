// SPDX-License-Identifier: Apache-2.0

/// Counts the passwords of a readable pattern that keep the limits on runs. Every such count is below 2^73.
struct SyllableCounter {
    let runs: RunLimits

    /// The passwords of patterns of C, V, 9 and dashes, with one capital letter that is not O.
    func count(_ patterns: [String]) -> UInt128 {
        var cached: [ArraySlice<UInt8>: (small: UInt128, withCapital: UInt128)] = [:]
        return patterns.reduce(0) { sum, pattern in
            // A dash or digit ends every run, so the stretches of letters between them are independent.
            let stretches = Array(pattern.utf8).split { $0 != UInt8(ascii: "C") && $0 != UInt8(ascii: "V") }
            let counts = stretches.map { stretch in
                if let counts = cached[stretch] { return counts }
                let counts = count(Array(stretch))
                cached[stretch] = counts
                return counts
            }
            let digits: UInt128 = 10
            return sum
                + counts.indices.reduce(0) { sum, capital in
                    sum
                        + counts.indices.reduce(digits) {
                            $0 * ($1 == capital ? counts[$1].withCapital : counts[$1].small)
                        }
                }
        }
    }

    /// The words of one stretch in small letters, and with one capital, which ends every run like a dash.
    private func count(_ stretch: [UInt8]) -> (small: UInt128, withCapital: UInt128) {
        let before = counts(stretch)
        // Read backwards, ascending runs descend: the number of words is the same.
        let after = counts(Array(stretch.reversed()))
        let withCapital = stretch.indices.reduce(UInt128(0)) { sum, index in
            let capitals: UInt128 = stretch[index] == UInt8(ascii: "C") ? 19 : 5
            return sum + before[index] * capitals * after[stretch.count - 1 - index]
        }
        return (before[stretch.count], withCapital)
    }

    /// The words in small letters of each beginning of a stretch, by its length.
    private func counts(_ stretch: [UInt8]) -> [UInt128] {
        // Nothing in the format runs longer than 5 letters.
        let longest = 6
        let repeating = min(runs.repeating, longest), sequential = min(runs.sequential, longest)
        var counts: [UInt128] = [1]
        // By last letter and run: 0...longest equal, then ascending, then descending.
        let width = 3 * (longest + 1)
        var ways = [UInt128](repeating: 0, count: 26 * width)
        for kind in stretch {
            let letters = (kind == UInt8(ascii: "C") ? ReadableFormat.consonants : ReadableFormat.vowels)
                .map { Int($0 - UInt8(ascii: "a")) }
            let total = counts.last ?? 1
            var next = [UInt128](repeating: 0, count: 26 * width)
            for letter in letters {
                var fresh = total
                for (neighbour, run, limit) in [
                    (letter, 0, repeating), (letter - 1, 1, sequential), (letter + 1, 2, sequential),
                ] where 0..<26 ~= neighbour {
                    // From the neighbour, a run of this direction continues, and any other ends and begins again.
                    let cells = neighbour * width..<(neighbour + 1) * width
                    let all = ways[cells].reduce(0, +)
                    fresh -= all
                    let going = cells.lowerBound + run * (longest + 1)
                    let begun = (2...longest).reduce(0) { $0 + ways[going + $1] }
                    if limit >= 2 { next[letter * width + run * (longest + 1) + 2] += all - begun }
                    for k in stride(from: 2, to: min(limit, longest), by: 1) {
                        next[letter * width + run * (longest + 1) + k + 1] += ways[going + k]
                    }
                }
                next[letter * width] = fresh
            }
            ways = next
            counts.append(ways.reduce(0, +))
        }
        return counts
    }
}
