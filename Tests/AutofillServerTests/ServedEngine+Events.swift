// SPDX-License-Identifier: Apache-2.0
import Support

@testable import AutofillService

extension ServedEngine {
    /// Something happens that no client did.
    func announce(_ event: ServiceEvent) throws {
        try service.onEngine { $0.service.stores.events.announce(event, causedBy: nil) }
    }
}
