// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains

extension Modules {
    /// Gives back what is remembered of names of users and sites beside the vault, to be worked out anew: it was locked.
    func forgetNames() {
        for session in sessions.all.values { session.forgetNames() }
        apps.forgetDomains()
        associations.forgetDecisions()
        audit.forgetNames()
    }

    /// The person has said something else of an app: the items that they allowed its connections are decided anew.
    func forgetItemWords(of app: String) {
        for session in sessions.all.values where session.app?.bundleID.text.utf8.elementsEqual(app.utf8) == true {
            session.memory.itemWords = []
        }
    }
}
