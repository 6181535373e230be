// SPDX-License-Identifier: Apache-2.0

/// The text that `journalctl -x` prints under each of our entries: the catalog of the journal (systemd.catalog), made
/// from the reasons.
package enum JournalCatalog {
    /// The whole file.
    package static var text: String {
        """
        # SPDX-License-Identifier: Apache-2.0
        # Made by autofilld --print-catalog from the reasons; do not change by hand.


        """ + Reason.allCases.map(entry).joined(separator: "\n")
    }

    private static func entry(_ reason: Reason) -> String {
        """
        -- \(reason.messageID)
        Subject: AutoFill: \(reason.rawValue)
        Defined-By: autofilld
        Support: man:autofilld(8)

        \(reason.message).

        Reason:  \(reason.rawValue)
        App:     @AUTOFILL_BUNDLE_ID@
        Domain:  @AUTOFILL_DOMAIN@
        Program: @AUTOFILL_PEER_EXE@ (process @AUTOFILL_PEER_PID@)
        Fix:     @AUTOFILL_FIX@

        All conditions of the app, with evidence: autofillctl explain @AUTOFILL_BUNDLE_ID@

        """
    }
}
