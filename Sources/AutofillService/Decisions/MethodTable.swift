// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// Maps each method to its area: an exhaustive switch that calls `AutofillEngine.run`.
package protocol MethodTable {
    func start(_ received: ReceivedRequest, on engine: isolated AutofillEngine)
}

/// A request and the connection that it came from.
package struct ReceivedRequest {
    package var method: Method { request.method }
    let request: Request
    let session: Session
}
