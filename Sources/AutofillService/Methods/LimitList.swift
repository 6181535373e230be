// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

extension LimitList: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) -> Answer {
        Answer(limits: Limits.told.map { LimitReport(limit: "\($0.name)", value: $0.value) })
    }
}
