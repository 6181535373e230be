// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Prompting

/// Shows prompts on a terminal until the connection ends. The caller could answer there, so that it needs the passphrase or a key,
/// and no prompt.
extension PrompterAttach: JudgedCall {
    typealias Area = SessionMethods

    func judge(_ views: SessionViews, _ request: RequestView) -> SessionID { request.sessionID }

    func act(on session: SessionID, _ effects: SessionEffects) -> Changed {
        let terminal = PromptEnvironment.Terminal(path: terminal, type: type)
        return Changed(effects.attachment.attach(terminal, to: session))
    }
}
