// SPDX-License-Identifier: Apache-2.0

/// The order of the cells in a layer of counts.
///
/// A state has a cell for its total and, where runs are limited, one for each orbit and position of a last character:
/// fresh; the second equal one to the last that the limit admits; the same upwards in sequence; the same downwards.
struct CellLayout: Sendable {
    /// The limits that are followed; 0 where there is none.
    let repeating: Int
    let sequential: Int
    /// Positions of a last character; 0 where no run is limited.
    let positionCount: Int
    let cellsPerState: Int

    init(_ runs: RunLimits, orbits: Int) {
        repeating = runs.repeating < .max ? runs.repeating : 0
        sequential = runs.sequential < .max ? runs.sequential : 0
        positionCount = runs.limitsSomething ? 1 + max(0, repeating - 1) + 2 * max(0, sequential - 1) : 0
        cellsPerState = 1 + orbits * positionCount
    }

    /// The cell of the continuations after a character at a position; the state's total where no run is limited.
    @inline(__always)
    func cell(_ state: Int, orbit: Int, position: Int) -> Int {
        positionCount > 0 ? state &* cellsPerState &+ 1 &+ orbit &* positionCount &+ position : state
    }

    /// The position of the k-th equal character, k from 2.
    @inline(__always)
    func repeated(_ k: Int) -> Int { k &- 1 }

    /// The position of the k-th character of a sequence, k from 2.
    @inline(__always)
    func sequential(_ k: Int, upwards: Bool) -> Int {
        max(0, repeating &- 1) &+ k &- 1 &+ (upwards ? 0 : sequential &- 1)
    }
}
