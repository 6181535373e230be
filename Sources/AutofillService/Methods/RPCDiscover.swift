// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

extension RPCDiscover: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) -> Answer { Answer() }
}
