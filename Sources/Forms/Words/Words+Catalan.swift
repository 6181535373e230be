// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Catalan.
    static let catalan = LanguageWords([
        .password: "clau d accés, *contrasenya*, paraula de pas",
        .oneTimeCode: "codi d un sol ús, codi de confirmació, codi de verificació",
        .email: "adreça electrònica, correu*, correu electrònic",
        .phone: "mòbil",
        .search: "cerca, cercar",
        .username: "identificador*, nom d usuari, *usuari*",
        .alias: "malnom, número de client, número de soci, sobrenom, àlies",
        .account: "compte, soci",
        .code: "codi",
        .personName: "cognom*, nom complet, nom i cognoms, primer cognom",
        .birthday: "=any, =mes, *naixement*",
        .organization: "empresa, entitat",
        .address: "carrer, ciutat, codi postal, població, província",
        .bareAddress: "adreça",
        .securityAnswer: "pregunta secreta, resposta",
        .matter: "assumpte, codi promocional, comentari*, missatge",
        .new: "creeu, nou, nova, trieu",
        .current: "actual, anterior, antiga",
        .confirmation: "confirma, confirmeu, repeteix, repetiu, torneu a",
        .strength: "almenys, com a mínim",
        .signUp: "alta d usuari, crea un compte, registra t, registre, registreu*",
        .signIn: "accedeix, entra, identifica t, inicia la sessió, inicia sessió",
        .remember: "manté la sessió, recorda m, recordeu*",
        .terms: "accepto, condicions, política de privacitat",
        .passwordChange: "canvi de contrasenya, canvia la contrasenya, nova contrasenya",
        .lost: "has oblidat, oblida*, oblidat",
        .aside: "ja tens compte, no la",
    ])
}
