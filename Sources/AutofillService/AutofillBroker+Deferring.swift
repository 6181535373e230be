// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

extension AutofillBroker {
    /// A call with a key derivation: `prepare` looks at every condition and says what is to be derived, `conclude` has its
    /// result.
    func deferring<Call: MethodCall>(
        _ request: Request, _ client: Client, _ writer: inout JSONWriter,
        _ prepare: @escaping (Call) throws(RefusedRequest) -> Deferred.Work,
        then conclude: @escaping (Call, Deferred.Derived?) throws(RefusedRequest) -> Call.Answer
    ) -> Deferred? {
        reading(request, client, &writer) { [unowned self] (read: ReadCall<Call>, writer) in
            begin(read, &writer, prepare, conclude)
        }
    }

    private func begin<Call: MethodCall>(
        _ read: ReadCall<Call>, _ writer: inout JSONWriter,
        _ prepare: @escaping (Call) throws(RefusedRequest) -> Deferred.Work,
        _ conclude: @escaping (Call, Deferred.Derived?) throws(RefusedRequest) -> Call.Answer
    ) -> Deferred? {
        do throws(RefusedRequest) {
            let work = try prepare(read.call)
            return Deferred(id: read.id, work: work) { [unowned self] derived, writer in
                finish(read.id, read.call, read.client, read.warnings, &writer) { call, _ throws(RefusedRequest) in
                    try conclude(call, derived)
                }
                return nil
            }
        } catch {
            let error = waiting(for: read.call, error)
            refuse(read.id, error, Call.method, read.client, &writer) { [unowned self] writer in
                begin(read, &writer, prepare, conclude)
            }
            return nil
        }
    }
}
