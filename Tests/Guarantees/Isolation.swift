// SPDX-License-Identifier: Apache-2.0
// What the compiler refuses in a method when it analyses isolation: see Decisions.swift.
import AutofillService
import Credentials

@testable import AutofillMethods

func actsInTask(_ effects: CredentialEffects, _ id: ObjectID) {
    Task { try effects.saved.restore(id) }
    // expected-error@-1 {{risks causing data races}}
    // expected-note@-2 {{accessible to code in the current task}}
}

func actsInImmediateTask(_ effects: CredentialEffects, _ id: ObjectID) {
    Task.immediate { try? effects.saved.restore(id) }
    // expected-error@-1 {{risks causing data races}}
    // expected-note@-2 {{accessible to code in the current task}}
}
