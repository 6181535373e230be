// SPDX-License-Identifier: Apache-2.0

/// The quota key of the app that was asked for last: mostly it is asked for again.
package struct QuotaKeyCache {
    private var last: (app: String, assurance: String, key: SealTag)?

    package init() {}

    package subscript(_ app: String, _ assurance: String) -> SealTag {
        mutating get {
            if let last, last.app == app, last.assurance == assurance { return last.key }
            let key = ReleaseQuotas.key(app: app, assurance: assurance)
            last = (app, assurance, key)
            return key
        }
    }
}
