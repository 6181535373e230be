// SPDX-License-Identifier: Apache-2.0

/// The version of the programs, the same for all.
package enum ProductVersion {
    package static let text = "0.2.0"
}
