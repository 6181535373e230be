// SPDX-License-Identifier: Apache-2.0

/// A call for which the person may have to be asked.
package protocol InteractingCall: MethodCall {
    /// Whether they may be.
    var interaction: Interaction { get }
}

extension AutofillAccept: InteractingCall {}
extension AutofillFill: InteractingCall {}
extension AutofillSubmitted: InteractingCall {}
extension CodeDelete: InteractingCall {}
extension CodeGet: InteractingCall {}
extension CodeSet: InteractingCall {}
extension CredentialDelete: InteractingCall {}
extension CredentialGet: InteractingCall {}
extension CredentialList: InteractingCall {}
extension CredentialSave: InteractingCall {}
extension KeychainDelete: InteractingCall {}
extension KeychainGet: InteractingCall {}
extension KeychainList: InteractingCall {}
extension KeychainRename: InteractingCall {}
extension KeychainSet: InteractingCall {}
extension SignInEnd: InteractingCall {}
extension SignInStart: InteractingCall {}
extension SignInStatus: InteractingCall {}
extension VaultUnlock: InteractingCall {}
extension VerifierDelete: InteractingCall {}
extension VerifierExport: InteractingCall {}
extension VerifierImport: InteractingCall {}
extension VerifierSet: InteractingCall {}
