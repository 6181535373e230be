// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Prompting

/// Has prompts shown on a terminal until the connection ends. Whoever asked could answer there, so that it takes the
/// passphrase or a key, and no prompt.
extension PrompterAttach: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let terminal = PromptSurroundings.Terminal(path: terminal, type: type)
        return Changed(modules.attachments.attach(terminal, to: request.session.id))
    }
}

/// The terminal that the person has given to prompts, and whose connection holds it.
final class PrompterAttachment {
    private var session: SessionID?
    /// For the next prompt; nil: the display of the session.
    private(set) var terminal: PromptSurroundings.Terminal?

    /// - Returns: whether that is another than before.
    func attach(_ terminal: PromptSurroundings.Terminal, to session: SessionID) -> Bool {
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
