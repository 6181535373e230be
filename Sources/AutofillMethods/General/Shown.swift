// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Prompting

/// A name or path as a prompt may show it.
func shown(_ text: String) -> String { PromptText.shown(text, limit: Limits.promptPathCharacters) }

/// A name where a prompt has several of them.
func shownName(_ text: String) -> String { PromptText.shown(text, limit: Limits.promptNameCharacters) }

func shownPath(_ components: [String?]) -> String {
    shown(components.compactMap(\.self).joined(separator: " / "))
}
