// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import Prompting
internal import Reasons

/// Where prompts show.
extension AutofillBroker {
    /// The terminal that the person has given to prompts, and whose connection holds it.
    struct AttachedTerminal {
        let client: ClientID
        let terminal: PromptSurroundings.Terminal
    }

    /// Has prompts shown on a terminal until the connection ends. Whoever asked could answer there, so that it takes the
    /// passphrase or a key, and no prompt.
    func attachPrompter(
        _ call: PrompterAttach, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> Changed {
        let terminal = PromptSurroundings.Terminal(path: call.terminal, type: call.type)
        if let attached, attached.client == client.id, attached.terminal == terminal { return Changed(false) }
        attached = AttachedTerminal(client: client.id, terminal: terminal)
        return Changed(true)
    }

    /// The terminal for the next prompt; nil for the display of the session.
    package var promptTerminal: PromptSurroundings.Terminal? { attached?.terminal }
}
