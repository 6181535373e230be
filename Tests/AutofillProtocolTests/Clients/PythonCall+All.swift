// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

extension PythonCall {
    static func all() throws -> [PythonCall] {
        let named = try [
            PythonCall(.autofillSuggest, "suggest", "service form **", returns: "Suggestions"),
            PythonCall(
                .autofillFill, "fill", "* offer credential code service user form interaction", returns: "Filled"),
            PythonCall(.autofillAccept, "accept", "offer user * replaces interaction"),
            PythonCall(.autofillDecline, "decline", "offer", returns: "Saved"),
            PythonCall(.autofillSubmit, "submit", "service form * interaction"),
            PythonCall(.autofillConfirm, "confirm", "submission * interaction", returns: "Saved"),
            PythonCall(.autofillWithdraw, "withdraw", "submission", returns: "Saved"),
            PythonCall(.credentialSave, "save", "service user password * interaction **"),
            PythonCall(.credentialUpdate, "update", "credential * service user new_user if_version interaction **"),
            PythonCall(
                .credentialGet, "credential", "service user * credential interaction", returns: "Credential"),
            PythonCall(.keychainSet, "keychain_set", "namespace! account! data! * group interaction"),
            PythonCall(.keychainGet, "keychain_get", "namespace! account! * group interaction", returns: "Item"),
            PythonCall(.keychainDelete, "keychain_delete", "namespace! account! * group interaction", returns: "Saved"),
            PythonCall(.keychainSearch, "keychain_list", "namespace! * group interaction", returns: "Item"),
            PythonCall(
                .keychainSearch, "keychain_search", "attributes * collection group interaction", returns: "Item"),
            PythonCall(.keychainSet, "item_add", "data! attributes! * label group replace interaction"),
            PythonCall(.keychainSet, "item_change", "item! * data attributes label interaction"),
            PythonCall(.keychainGet, "item_get", "item! * interaction", returns: "Item"),
            PythonCall(.keychainDelete, "item_delete", "item! * interaction", returns: "Saved"),
            PythonCall(
                .keychainRename, "keychain_rename", "namespace! account! new_place * group if_version interaction"),
            PythonCall(.diagnose, "diagnose", "service * form"),
            PythonCall(.credentialList, "credential_list", "service * interaction"),
            PythonCall(.credentialDelete, "credential_delete", "credential * service user if_version interaction"),
            PythonCall(.codeGet, "code_get", "service user * credential interaction"),
            PythonCall(.codeSet, "code_set", "uri * service user credential if_version interaction"),
            PythonCall(.codeDelete, "code_delete", "service user * credential if_version interaction"),
            PythonCall(
                .verifierSet, "verifier_set", "namespace! account! password! * group interaction", returns: "Saved"),
            PythonCall(.vaultUnlock, "vault_unlock", "* interaction"),
        ]
        let covered = Set(named.map(\.method) + [.hello, .eventSubscribe, .requestCancel, .rpcDiscover])
        let others = Method.allCases.filter { !covered.contains($0) && !$0.rawValue.hasPrefix("admin.") }
        return try named + others.map { try PythonCall($0) }
    }
}
