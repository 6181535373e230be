// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Romanian.
    static let romanian = LanguageWords([
        .password: "*parol*, parola",
        .oneTimeCode: "cod de confirmare, cod de securitate, cod de verificare, cod sms, cod unic",
        .email: "adresă de e mail, poștă electronică",
        .search: "cautati, caută, căutare, căutare*",
        .username: "nume de utilizator, nume utilizator, *utilizator*",
        .alias: "cod client, număr client, număr de client, poreclă",
        .account: "cont, membru",
        .code: "cod",
        .payment: "cnp, cont bancar, data expirării, număr card, numărul cardului, titular card",
        .personName: "nume complet, nume de familie, nume și prenume, numele tău, prenume",
        .bareName: "=nume",
        .birthday: "=an, data nașterii, =lună, *naștere*, =zi",
        .organization: "companie, ocupație, societate",
        .address: "cod poștal, județ, localitate, oraș, strada, țară",
        .securityAnswer: "răspuns, întrebare de securitate, întrebare secretă",
        .matter: "cantitate, cod promoțional, cod reducere, comentariu, mesaj, subiect, sumă, voucher",
        .new: "alege, creează, nouă",
        .current: "actuală, curentă, veche",
        .confirmation: "*confirmare*, confirmați, din nou, reintrodu*, repetați, repetă",
        .strength: "cel puțin, minim",
        .signUp: "client nou, cont nou, creare cont, creează cont, înregistr*",
        .signIn: "autentific*, conectare, conecteaz*, intră în cont",
        .remember: "păstrează, rămâi conectat, ține minte",
        .terms: "accept, condiții*, de acord, termeni*",
        .passwordChange: "parolă nouă, resetare parolă, resetează parola, schimbare parolă, schimbă parola",
        .lost: "uitat",
        .aside: "ai deja cont, nu este",
    ])
}
