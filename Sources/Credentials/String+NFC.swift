// SPDX-License-Identifier: Apache-2.0
@_spi(_Unicode) internal import Swift

extension String {
    /// Calls `body` with the UTF-8 of each scalar of the NFC form (Unicode Standard Annex #15), in the standard library's
    /// version of Unicode. It is not public there; the tests hold it to vectors.
    package func forEachInNFC(_ body: (Unicode.UTF8.EncodedScalar) -> Void) {
        for scalar in _nfc { body(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter) }
    }

    /// Whether it is its own NFC form.
    package var isInNFC: Bool { utf8.allSatisfy { $0 < 0x80 } || unicodeScalars.elementsEqual(_nfc) }
}
