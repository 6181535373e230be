// SPDX-License-Identifier: Apache-2.0

/// What the extension may ask for: a method of the protocol each, and the parameters that are passed on as they are. What is not
/// here never leaves the browser: no secret as proof, no other method.
package enum ExtensionMethod: String, CaseIterable, Sendable {
    case suggest, fill, accept, decline, submitted, list, search, get, code, diagnose, status, unlock

    /// The method of the protocol.
    package var name: StaticString {
        switch self {
        case .suggest: "autofill.suggest"
        case .fill: "autofill.fill"
        case .accept: "autofill.accept"
        case .decline: "autofill.decline"
        case .submitted: "autofill.submitted"
        case .list, .search: "credential.list"
        case .get: "credential.get"
        case .code: "code.get"
        case .diagnose: "diagnose"
        case .status: "status"
        case .unlock: "vault.unlock"
        }
    }

    /// The parameters that the extension may give.
    package var parameters: [StaticString] {
        switch self {
        case .suggest: ["form", "fields", "heading", "submitLabels", "action", "focus", "style"]
        case .fill: ["offer", "credential", "oneTimeCode", "fields", "interaction"]
        case .accept: ["offer", "user", "replaces", "interaction"]
        case .decline: ["offer"]
        case .submitted: ["form", "fields", "interaction"]
        case .list: ["limit", "cursor", "interaction"]
        case .search: ["limit", "cursor"]
        case .get, .code: ["user", "interaction"]
        case .diagnose: ["fields"]
        case .status: []
        case .unlock: ["interaction"]
        }
    }

    /// Whether the page's origin goes with it.
    package var isOfSite: Bool {
        switch self {
        case .suggest, .submitted, .list, .get, .code, .diagnose, .fill: true
        case .accept, .decline, .search, .status, .unlock: false
        }
    }

    /// Whether it reaches what is saved for every site: the daemon asks the person each time, and the host has it do so.
    package var takesPrompt: Bool { self == .search }

    /// Whether the origin of the page in the tab goes with it.
    package var isToldTop: Bool { isOfSite && self != .diagnose }

    /// Parameters that name what is filled: beside one the origin says where it goes, and not of which site it is.
    package var ids: [String] { self == .fill ? ["offer", "credential", "oneTimeCode"] : [] }
}
