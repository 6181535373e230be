// SPDX-License-Identifier: Apache-2.0

/// The methods that the extension may call, each with its method of the protocol and the parameters that are passed on unchanged.
/// No other method or parameter leaves the browser, and so no secret as proof.
package enum ExtensionMethod: String, CaseIterable, Sendable {
    case suggest, fill, accept, decline, submit, confirm, withdraw
    case list, search, get, history, save, update, delete, code
    case diagnose, status, unlock, lock

    /// The method of the protocol.
    package var name: StaticString {
        switch self {
        case .suggest: "autofill.suggest"
        case .fill: "autofill.fill"
        case .accept: "autofill.accept"
        case .decline: "autofill.decline"
        case .submit: "autofill.submit"
        case .confirm: "autofill.confirm"
        case .withdraw: "autofill.withdraw"
        case .list, .search: "credential.list"
        case .get, .history: "credential.get"
        case .save: "credential.save"
        case .update: "credential.update"
        case .delete: "credential.delete"
        case .code: "code.get"
        case .diagnose: "diagnose"
        case .status: "status"
        case .unlock: "vault.unlock"
        case .lock: "admin.vault.lock"
        }
    }

    /// The parameters that the extension may give.
    package var parameters: [StaticString] {
        switch self {
        case .suggest: ["form", "style"]
        case .fill: ["offer", "credential", "codeID", "form", "interaction"]
        case .accept: ["offer", "user", "replaces", "interaction"]
        case .decline: ["offer"]
        case .submit: ["form", "interaction"]
        case .confirm: ["submission", "interaction"]
        case .withdraw: ["submission"]
        case .list: ["limit", "cursor", "interaction"]
        case .search: ["limit", "cursor"]
        case .get: ["credential", "interaction"]
        case .history: ["credential"]
        case .save: ["user", "password", "interaction"]
        case .update: ["credential", "newUser", "notes", "ifVersion", "interaction"]
        case .delete: ["credential", "ifVersion", "interaction"]
        case .code: ["credential", "interaction"]
        case .diagnose: ["form"]
        case .status, .lock: []
        case .unlock: ["interaction"]
        }
    }

    /// Whether the request contains the page's origin.
    package var isOfSite: Bool {
        switch self {
        case .suggest, .submit, .confirm, .list, .get, .history, .save, .code, .diagnose, .fill: true
        case .accept, .decline, .withdraw, .search, .update, .delete, .status, .unlock, .lock: false
        }
    }

    /// Whether it has access to the credentials of every site, or to former passwords: the host makes the daemon ask the user
    /// each time.
    package var needsPrompt: Bool { self == .search || self == .history }

    /// Parameters that name what is filled: with one of these the origin is the page to fill, and not the site of the credential.
    package var ids: [String] {
        switch self {
        case .fill: ["offer", "credential", "codeID"]
        case .get, .history, .code: ["credential"]
        case .confirm: ["submission"]
        default: []
        }
    }
}
