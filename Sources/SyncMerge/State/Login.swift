// SPDX-License-Identifier: Apache-2.0

/// A site and a user: records that have one in common appear as one record.
package struct Login: Hashable, Sendable {
    package let site: String
    package let user: String

    package init(site: String, user: String) {
        self.site = site
        self.user = user
    }
}
