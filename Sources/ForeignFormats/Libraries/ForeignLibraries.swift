// SPDX-License-Identifier: Apache-2.0
internal import CForeignLibraries

/// The libraries for encrypted files, XML, archives and QR codes: whether this program was built with them.
package enum ForeignLibraries {
    /// Prepared at the first use; a program that confines itself uses it before.
    package static let areAvailable = af_foreign_start()

    static func require() throws(ConversionError) {
        guard areAvailable else {
            throw ConversionError(.builtWithout("libgcrypt, zlib, expat, libarchive and libqrencode"))
        }
    }
}
