// SPDX-License-Identifier: Apache-2.0

extension Modules {
    /// Gives back what is remembered of names of users and sites beside the vault, to be worked out anew: it was locked.
    func forgetNames() {
        for session in sessions.all.values { session.forgetNames() }
        apps.forgetDomains()
        associations.forgetDecisions()
        audit.forgetNames()
    }
}
