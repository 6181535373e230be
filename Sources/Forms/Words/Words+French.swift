// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// French.
    static let french = LanguageWords([
        .password: "*mdp*, mot passe, *motdepasse*",
        .pin: "code confidentiel, code secret",
        .oneTimeCode: """
        code de confirmation, code de sécurité, code de validation, code reçu, code sms, code temporaire, \
        code à usage unique, *codedeconfirm*, *codedesécur*, *codedeverif*, mot de passe à usage unique
        """,
        .email: "adresse électronique, *adressemail*, *courriel*, mél",
        .phone: "gsm, portable, *téléphone*",
        .search: "chercher, recherch*",
        .captcha: "anti robot, caractères affichés, code affiché, code de l image, recopiez",
        .trap: "laisser vide, laissez vide, ne pas remplir, ne remplissez pas",
        .username: "*identifiant*, nom d utilisateur, nom de compte, utilisateur",
        .alias: """
        code client, n client, numéro client, numéro d abonné, numéro d adhérent, numéro de membre, \
        numéro de sociétaire, pseudo, pseudonyme, surnom
        """,
        .account: "adhérent, membre, numéro",
        .code: "code d activation",
        .payment: """
        carte bancaire, carte bleue, carteban*, cryptogramme, date d expiration, numéro de sécurité sociale, \
        *numérodecarte*, titulaire*
        """,
        .personName: """
        civilité, nom de famille, nom de naissance, nom et prénom, nom usuel, *prénom*, votre nom
        """,
        .bareName: "=nom",
        .birthday: "=aaaa, =année, =jj, =jour, =mois, *naissance*",
        .organization: "employeur, entreprise, fonction, organisme, raison sociale, société",
        .address: "bâtiment, *codepostal*, commune, cp, département, indicatif, pays, rue, ville",
        .securityAnswer: """
        question de sécurité, *question secr*, question secrète, *reponsesecr*, réponse*, réponse secrète
        """,
        .matter: """
        bon de réduction, code avantage, code parrain*, code promo*, commentaire*, montant, \
        numéro de commande, objet, parrain*, quantité, remarque*, sexe, site web, sujet
        """,
        .new: "choisi*, choisissez, crée*, créez, définir, définissez, nouveau, nouveaux, nouvelle, souhaité",
        .current: "*actuel*, ancien, *ancienmot*, ancienne, précédent",
        .confirmation: """
        bis, confirmer, *confirmez*, de nouveau, encore, ressaisi*, retaper, répét*, répéter, \
        saisir à nouveau, vérification
        """,
        .strength: "au minimum, au moins, caractères minimum, majuscule*, minuscule*",
        .signUp: """
        créer mon compte, créer un compte, créez votre compte, devenir membre, inscri*, *inscription*, \
        nouveau client, nouveau compte, ouvrir un compte, rejoindre, s enregistrer
        """,
        .signIn: """
        authentification, connect*, *connexion*, déjà client, identification, s identifier, se connecter
        """,
        .remember: "garder ma session, mémoriser, rester connecté, souvenir*",
        .terms: "cgu, cgv, *condition*, *confidentialité*, j accepte, lettre d information",
        .passwordChange: """
        changer le mot de passe, changer mon mot de passe, modifier le mot de passe, \
        modifier mon mot de passe, nouveau mot de passe, réinitialis*
        """,
        .lost: "oublié*, perdu",
        .aside: "différent, déjà inscrit, déjà un compte, pas le, pas votre",
    ])
}
