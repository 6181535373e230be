// SPDX-License-Identifier: Apache-2.0

/// What plain texts are padded to, so that the length of a sealed one reveals little.
package enum SizeClass {
    /// Records: 256, 512, 1024, 2048 or 4096 bytes, then multiples of 4096.
    package static func record(_ length: Int) -> Int {
        if length > 4096 { return (length + 4095) / 4096 * 4096 }
        var size = 256
        while size < length { size *= 2 }
        return size
    }

    /// Entries of the release log, which are many and similar: multiples of 128 bytes.
    package static func release(_ length: Int) -> Int { max(1, (length + 127) / 128) * 128 }
}
