// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import Credentials
internal import DequeModule
internal import Reasons

/// Something that leaves without a request of this turn: an event, or the answer to a request that waited.
struct Delivery {
    let client: ClientID
    let write: (inout JSONWriter) -> Deferred?
}

/// Requests that wait for the outside, and what leaves later.
extension AutofillBroker {
    /// Lets a request wait for an errand, if not too many of its connection wait.
    func park(
        _ id: RequestID?, _ method: Method, _ client: Client, on errand: Errand, _ writer: inout JSONWriter,
        again: @escaping (inout JSONWriter) -> Deferred?
    ) {
        guard let id else { return }
        guard client.waiting.count < Limits.waitingRequests else {
            return writer.refuse(id, [Refusal(.tooManyRequests)])
        }
        client.waiting.insert(id)
        let deadline = now.advanced(byMilliseconds: Int64(errand.waitMilliseconds))
        waitingRoom.park(
            .init(
                client: client.id, id: id, method: method, deadline: deadline, allowed: client.allowedOnce, again: again
            ),
            on: errand)
    }

    /// Performs what waited for the errand, from its start, with what the person has just allowed these requests and no
    /// others.
    func end(_ errand: Errand, allowing allowance: Allowance? = nil) {
        for request in waitingRoom.leave(errand) {
            resume(request) { [unowned self] writer in
                guard let client = clients[request.client] else { return nil }
                client.allowedOnce = request.allowed
                if let allowance { client.allowedOnce.insert(allowance) }
                defer { client.allowedOnce = [] }
                return request.again(&writer)
            }
        }
    }

    /// Answers those of the waiting requests that fit with a refusal.
    func end(where fits: (WaitingRoom.Parked) -> Bool, refusing refusals: [Refusal]) {
        for (_, request) in waitingRoom.leave(where: fits) { refuse(request, refusals) }
    }

    /// The outside has done an errand that has no answer of its own.
    package func conclude(_ errand: Errand) { end(errand) }

    /// Answers what waited for the errand with a refusal.
    func end(_ errand: Errand, refusing refusals: [Refusal]) {
        for request in waitingRoom.leave(errand) { refuse(request, refusals) }
    }

    /// Answers what has waited as long as it may.
    package func endLongWaits() {
        let now = now
        for (errand, request) in waitingRoom.leave(where: { $0.deadline <= now }) {
            refuse(request, [errand.refusalAfterWaiting])
        }
    }

    private func refuse(_ request: WaitingRoom.Parked, _ refusals: [Refusal]) {
        resume(request) { [unowned self] writer in
            guard let client = clients[request.client] else { return nil }
            refuse(request.id, .refused(refusals), request.method, client, &writer)
            return nil
        }
    }

    private func resume(_ request: WaitingRoom.Parked, _ write: @escaping (inout JSONWriter) -> Deferred?) {
        deliver(to: request.client) { [unowned self] writer in
            // Taken back meanwhile, it has its answer.
            guard clients[request.client]?.waiting.remove(request.id) != nil else { return nil }
            return write(&writer)
        }
    }

    /// Has something leave for a connection at the end of this turn, after the answers of the turn.
    func deliver(to client: ClientID, _ write: @escaping (inout JSONWriter) -> Deferred?) {
        deliveries.append(Delivery(client: client, write: write))
    }

    /// Writes what leaves next, and says for whom; nil when there is nothing.
    package func nextDelivery(into writer: inout JSONWriter) -> (client: ClientID, deferred: Deferred?)? {
        while let delivery = deliveries.popFirst() {
            guard let client = clients[delivery.client] else { continue }
            let deferred = delivery.write(&writer).flatMap { admit($0, client, &writer) }
            return (delivery.client, deferred)
        }
        return nil
    }

    /// What the outside is to start or to drop since the last call.
    package func takeErrandOrders() -> [ErrandOrder] { waitingRoom.takeOrders() }
}

extension Errand {
    /// How long a request waits for it.
    fileprivate var waitMilliseconds: Int {
        switch self {
        case .unlock, .consent, .approval, .contentHash, .vaultWork: Limits.promptMilliseconds
        case .association: Limits.associationWaitMilliseconds
        }
    }

    /// What a request is told that waited for it as long as it may.
    fileprivate var refusalAfterWaiting: Refusal {
        switch self {
        case .unlock: Refusal(.vaultLocked)
        case .association(let query): Refusal(.siteNotFetched, [.domain: query.domain])
        case .consent(let question): Refusal(.consentDenied, question.names)
        case .approval: Refusal(.consentDenied)
        case .contentHash: Refusal(.internalFault)
        case .vaultWork: .vaultBusy
        }
    }
}
