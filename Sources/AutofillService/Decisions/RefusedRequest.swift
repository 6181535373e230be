// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import Reasons

/// Why a request is refused: every reason, in the order of protocol.md, or what is malformed in it.
package enum RefusedRequest: RequestError {
    case refused([Refusal])
    case malformed(ProtocolProblem)

    package init(_ refused: RefusedRequest) { self = refused }

    /// Empty where the request is malformed.
    package var refusals: [Refusal] {
        if case .refused(let refusals) = self { refusals } else { [] }
    }
}

/// An error that can be a refusal of a request.
package protocol RequestError: Error {
    init(_ refused: RefusedRequest)
}

extension RequestError {
    package init(_ refusals: [Refusal]) { self.init(RefusedRequest.refused(refusals)) }

    package init(_ reason: Reason, _ parameters: [Refusal.Parameter: String] = [:]) {
        self.init(RefusedRequest.refused([Refusal(reason, parameters)]))
    }

    package static func invalid(_ member: String, _ expected: String) -> Self {
        Self(RefusedRequest.malformed(ProtocolProblem(.parameterInvalid, member: member, detail: expected)))
    }

    /// A parameter of the right type that its module refuses: the reason and its fix, each in a sentence or more.
    package static func invalid(_ member: String, because reason: String, fix: String) -> Self {
        let fix = fix.hasSuffix(".") ? String(fix.dropLast()) : fix
        let problem = ProtocolProblem(.parameterInvalid, member: member, detail: reason, fix: fix)
        return Self(RefusedRequest.malformed(problem))
    }
}
