// SPDX-License-Identifier: Apache-2.0

/// Where a layer of counts holds what.
///
/// A state has a cell for its total and, where runs are limited, one for each orbit and place of a last character:
/// fresh; the second equal one to the last that the limit admits; the same upwards in sequence; the same downwards.
struct CellLayout: Sendable {
    /// The limits that are followed; 0 where there is none.
    let repeating: Int
    let sequential: Int
    /// Places of a last character; 0 where no run is limited.
    let placeCount: Int
    let cellsPerState: Int

    init(_ runs: RunLimits, orbits: Int) {
        repeating = runs.repeating < .max ? runs.repeating : 0
        sequential = runs.sequential < .max ? runs.sequential : 0
        placeCount = runs.limitsSomething ? 1 + max(0, repeating - 1) + 2 * max(0, sequential - 1) : 0
        cellsPerState = 1 + orbits * placeCount
    }

    /// The cell of the ways to go on after a character at a place; the state's total where no run is limited.
    @inline(__always)
    func cell(_ state: Int, orbit: Int, place: Int) -> Int {
        placeCount > 0 ? state &* cellsPerState &+ 1 &+ orbit &* placeCount &+ place : state
    }

    /// The place of the k-th equal character, k from 2.
    @inline(__always)
    func repeated(_ k: Int) -> Int { k &- 1 }

    /// The place of the k-th character of a sequence, k from 2.
    @inline(__always)
    func sequential(_ k: Int, upwards: Bool) -> Int {
        max(0, repeating &- 1) &+ k &- 1 &+ (upwards ? 0 : sequential &- 1)
    }
}
