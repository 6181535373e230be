// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import Reasons

/// The methods of one area: what they may read, and what they may do.
package protocol MethodArea {
    associatedtype Views
    associatedtype Effects
    /// Made once.
    var views: Views { get }
    /// Made for each request that was decided.
    func effects(for request: RequestContext) -> Effects
}

/// The effects of an area whose methods only read.
package struct NoEffects {
    package init() {}
}

extension MethodArea where Effects == NoEffects {
    package func effects(for request: RequestContext) -> NoEffects { NoEffects() }
}

/// A method that is one decision. `judge` and `act` run in one turn, without suspension in between, so that nothing that was
/// judged can change before it is used, and nothing has an effect before the last wait.
package protocol JudgedCall: MethodCall {
    associatedtype Area: MethodArea
    /// `Sendable`, so that it cannot hold a view or an effect: these have references that are not.
    associatedtype Decision: Sendable
    /// Reads. Returns what is to be done, refuses, or throws what the request waits for.
    func judge(_ views: Area.Views, _ request: RequestView) throws(Unsettled) -> Decision
    /// Writes and releases. Runs right after the `judge` that returned the decision.
    func act(on decision: Decision, _ effects: Area.Effects) throws(Refusal) -> Answer
    /// What the request would do, after "wants to"; nil where no prompt can be the proof. Names in it are escaped, and what it
    /// names by an id is looked up. Throws what the request itself would get for an id that does not exist.
    func promptText(_ views: Area.Views) throws(Unsettled) -> String?
}

extension JudgedCall {
    package func promptText(_ views: Area.Views) throws(Unsettled) -> String? { nil }
}

/// A method that only reads: its decision is its answer.
extension JudgedCall where Decision == Answer {
    package func act(on answer: Answer, _ effects: Area.Effects) -> Answer { answer }
}

/// A method that is long work: it waits between its decisions by itself.
package protocol AsyncCall: MethodCall {
    associatedtype Area
    func perform(_ area: Area, _ request: RequestContext) async throws(RefusedRequest) -> Answer
    /// As of a `JudgedCall`.
    func promptText(_ area: Area) throws(Unsettled) -> String?
}

extension AsyncCall {
    package func promptText(_ area: Area) throws(Unsettled) -> String? { nil }
}
