// SPDX-License-Identifier: Apache-2.0

/// The step from the counts for n − 1 characters to those for n.
struct CountingStep {
    /// An orbit as the inner loops need it.
    struct Orbit {
        let signature: Int
        let size: UInt64
        let up: Neighbour?
        let down: Neighbour?
    }

    /// The orbit of the next or previous character in sequence.
    struct Neighbour {
        let orbit: Int
        let signature: Int
        let isReversed: Bool
    }

    let layout: CellLayout
    let orbits: UnsafeBufferPointer<Orbit>
    let transitions: UnsafePointer<Int32>
    let signatureCount: Int
    let source: Words.Number
    let sourceWords: Int
    let target: Words.Target
    let targetWords: Int

    @inline(__always)
    private func next(_ state: Int, _ signature: Int) -> Int {
        Int(transitions[state &* signatureCount &+ signature])
    }

    @inline(__always)
    private func add(_ cell: Int, to number: Words.Target) {
        Words.add(source + cell &* sourceWords, to: number, words: sourceWords, of: targetWords)
    }

    @inline(__always)
    private func subtract(_ cell: Int, from number: Words.Target) {
        Words.subtract(source + cell &* sourceWords, from: number, words: sourceWords, of: targetWords)
    }

    /// t(q, n): any character, with no run to heed.
    func addTotal(of state: Int) {
        let number = target + state &* layout.cellsPerState &* targetWords
        for index in orbits.indices {
            let cell = layout.cell(next(state, orbits[index].signature), orbit: index, position: 0)
            Words.add(
                source + cell &* sourceWords, times: orbits[index].size, to: number, words: sourceWords,
                of: targetWords)
        }
    }

    /// f(c, q, n) for an orbit's c, and the counts of the further positions of its runs.
    func addPositions(of index: Int, in state: Int) {
        let orbit = orbits[index]
        let base = layout.cell(state, orbit: index, position: 0)
        let fresh = target + base &* targetWords
        fresh.update(from: target + state &* layout.cellsPerState &* targetWords, count: targetWords)

        let own = layout.cell(next(state, orbit.signature), orbit: index, position: 0)
        let (repeating, sequential) = (layout.repeating, layout.sequential)
        if repeating > 0 {
            // A second equal character, where the limit admits one, instead of a fresh one.
            subtract(own, from: fresh)
            if repeating > 1 { add(own + layout.repeated(2), to: fresh) }
        }
        if let up = orbit.up { correctForSequence(up, upwards: true, in: state, of: fresh) }
        if let down = orbit.down { correctForSequence(down, upwards: false, in: state, of: fresh) }

        var k = 2
        while k <= repeating {
            let number = target + (base + layout.repeated(k)) &* targetWords
            number.update(from: fresh, count: targetWords)
            subtract(own + layout.repeated(2), from: number)
            if k < repeating { add(own + layout.repeated(k + 1), to: number) }
            k += 1
        }
        if sequential > 1 {
            addSequence(orbit.up, upwards: true, in: state, base, fresh)
            addSequence(orbit.down, upwards: false, in: state, base, fresh)
        }
    }

    /// A neighbour is the second of a sequence, where the limit admits one, instead of a fresh character.
    private func correctForSequence(_ neighbour: Neighbour, upwards: Bool, in state: Int, of fresh: Words.Target) {
        let cell = layout.cell(next(state, neighbour.signature), orbit: neighbour.orbit, position: 0)
        subtract(cell, from: fresh)
        if layout.sequential > 1 {
            add(cell + layout.sequential(2, upwards: upwards != neighbour.isReversed), to: fresh)
        }
    }

    /// The further positions of a sequence: the neighbour continues it instead of beginning one.
    private func addSequence(
        _ neighbour: Neighbour?, upwards: Bool, in state: Int, _ base: Int, _ fresh: Words.Target
    ) {
        for k in 2...layout.sequential {
            let number = target + (base + layout.sequential(k, upwards: upwards)) &* targetWords
            number.update(from: fresh, count: targetWords)
            guard let neighbour else { continue }
            let cell = layout.cell(next(state, neighbour.signature), orbit: neighbour.orbit, position: 0)
            let ascends = upwards != neighbour.isReversed
            subtract(cell + layout.sequential(2, upwards: ascends), from: number)
            if k < layout.sequential { add(cell + layout.sequential(k + 1, upwards: ascends), to: number) }
        }
    }
}
