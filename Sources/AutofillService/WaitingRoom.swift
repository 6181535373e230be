// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// The requests that wait for errands, in the order in which they came.
struct WaitingRoom {
    struct Parked {
        let client: ClientID
        let id: RequestID
        let method: Method
        /// When it has waited long enough.
        let deadline: Timestamp
        /// What the person has allowed it so far.
        let allowed: Set<Allowance>
        /// Performs it from its start, so that every condition is looked at anew.
        let again: (inout JSONWriter) -> Deferred?
    }

    private var parked: [Errand: [Parked]] = [:]
    /// What the outside was told to do, and has not ended.
    private var running: Set<Errand> = []
    /// What the outside has not been told yet.
    private(set) var orders: [ErrandOrder] = []

    /// Whether anybody waits for it.
    func isAwaited(_ errand: Errand) -> Bool { parked[errand] != nil }

    mutating func park(_ request: Parked, on errand: Errand) {
        order(errand)
        parked[errand, default: []].append(request)
    }

    /// Has an errand done, whether or not anybody waits for it; once at a time.
    mutating func order(_ errand: Errand) {
        if running.insert(errand).inserted { orders.append(.start(errand)) }
    }

    /// How many questions wait for the person.
    var promptCount: Int { parked.keys.count { $0.isPrompt } }

    /// The connections whose requests wait for the person.
    var waitingClients: Set<ClientID> {
        Set(parked.lazy.filter { $0.key.isPrompt }.flatMap { $0.value.map(\.client) })
    }

    /// Takes out all that wait for it: it has ended, whoever brought that about. A prompt that still shows is taken away.
    mutating func leave(_ errand: Errand) -> [Parked] {
        if running.remove(errand) != nil, errand.isPrompt { orders.append(.drop(errand)) }
        return parked.removeValue(forKey: errand) ?? []
    }

    /// Takes out those that fit, from every errand. A prompt that nobody waits for any more is taken away; whatever else was
    /// begun goes on to its end, so that it is not begun again beside itself.
    @discardableResult
    mutating func leave(where fits: (Parked) -> Bool) -> [(errand: Errand, request: Parked)] {
        var left: [(Errand, Parked)] = []
        for (errand, requests) in parked {
            let staying = requests.filter { !fits($0) }
            guard staying.count < requests.count else { continue }
            left += requests.filter(fits).map { (errand, $0) }
            parked[errand] = staying.isEmpty ? nil : staying
            if staying.isEmpty, errand.isPrompt, running.remove(errand) != nil { orders.append(.drop(errand)) }
        }
        return left
    }

    mutating func takeOrders() -> [ErrandOrder] {
        defer { orders.removeAll() }
        return orders
    }
}

extension Errand {
    /// Whether it is a prompt that shows, or will.
    fileprivate var isPrompt: Bool {
        switch self {
        case .unlock, .consent, .approval: true
        case .association, .contentHash, .vaultWork: false
        }
    }
}
