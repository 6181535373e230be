// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
import PathInspection

extension PublicSuffixList {
    /// Where distributions put the list (Debian: publicsuffix, Fedora: publicsuffix-list).
    package static let standardPath = "/usr/share/publicsuffix/public_suffix_list.dat"
    /// Bytes; the list has 0.3 million.
    private static let sizeLimit = 4_194_304

    /// The system's list; nil where none is installed, or anybody but root could have written it.
    package static func installed(at path: String = standardPath) -> PublicSuffixList? {
        guard let walk = try? PathWalk(to: path.utf8, entersServed: false), walk.end.point.facts.isRegular,
            walk.isRootsAlone, let bytes = try? walk.end.descriptor.openedForReading().read(atMost: sizeLimit + 1),
            bytes.count <= sizeLimit
        else { return nil }
        return PublicSuffixList(bytes)
    }
}
