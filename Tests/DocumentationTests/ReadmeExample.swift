// SPDX-License-Identifier: Apache-2.0
// The example of Sources/Apps.md, compiled: ReadmeTests compares the two.
import AutofillClient

func signUp(_ submit: (FilledForm) async -> Bool) async throws -> [AutofillReason] {
    do {
        let session = try await AutofillSession.connect(bundleID: "org.example.Shop")
        let form = AutofillForm(
            for: .domain("shop.example.com"),
            fields: [
                FormField("mail", .username, keyboardType: .emailAddress),
                FormField("new", .newPassword, isSecureTextEntry: true),
                FormField("again", .newPassword, isSecureTextEntry: true),
            ])
        let suggestions = try await session.suggestions(for: form)
        guard let offer = suggestions.strongPassword else { return suggestions.strongPasswordWithheld }
        let filled = try await session.fill(offer)  // the password is in the vault already
        if await submit(filled) {
            try await session.accept(offer, user: "ann@example.com")
        } else {
            try await session.decline(offer)
        }
        return []
    } catch .unavailable {
        return []  // no AutoFill on this machine: the form works without it
    }
}
