// SPDX-License-Identifier: Apache-2.0
package import Prompting

/// The terminal that the user has attached to prompts, and the connection that holds it.
package final class PrompterAttachment {
    private var session: SessionID?
    /// For the next prompt; nil: the display of the session.
    private(set) var terminal: PromptEnvironment.Terminal?

    /// - Returns: whether that is another than before.
    package func attach(_ terminal: PromptEnvironment.Terminal, to session: SessionID) -> Bool {
        if self.session == session, self.terminal == terminal { return false }
        self.session = session
        self.terminal = terminal
        return true
    }

    /// The connection has ended.
    func detach(_ session: SessionID) {
        guard self.session == session else { return }
        self.session = nil
        terminal = nil
    }
}
