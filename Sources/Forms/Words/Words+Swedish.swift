// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Swedish.
    static let swedish = LanguageWords([
        .password: "kod ord, lösen, *lösenord*",
        .oneTimeCode: "*bekräftelsekod*, *engångskod*, engångslösenord, *säkerhetskod*, *verifieringskod*",
        .email: "*epost*, mejl*",
        .username: "*användar*, *användarnamn*",
        .alias: "kundnummer, personnummer, smeknamn",
        .account: "kund",
        .payment: "giltig till, kontokort, kortinnehavare, utgångsdatum",
        .personName: "ditt namn, *efternamn*, fullständigt namn, för och efternamn, *förnamn*, tilltalsnamn",
        .bareName: "=namn",
        .birthday: "född, *födelse*, =månad",
        .organization: "arbetsgivare, befattning, företag, *företagsnamn*, yrke",
        .address: "gata, gatuadress, län, postort",
        .bareAddress: "adress",
        .securityAnswer: "hemlig fråga, säkerhetsfråga",
        .matter: "belopp, inbjudningskod, kampanjkod, meddelande, ordernummer, presentkort, rabattkod, ämne",
        .new: "nya, skapa, välj*, önskat",
        .current: "befintligt, gamla, gammal, gammalt, nuvarande",
        .confirmation: "bekräfta*, en gång till, upprepa*, verifiera",
        .strength: "tecken långt",
        .signUp: "ny kund, nytt konto, registrera*, skapa ett konto, skapa konto",
        .signIn: "inloggning*, logga in",
        .remember: "förbli inloggad, håll mig inloggad, kom ihåg",
        .terms: "godkänner, integritetspolicy, villkor*",
        .passwordChange: "byt lösenord, nytt lösenord, ändra lösenord, återställ lösenord",
        .lost: "glömde, glömt*",
        .aside: "har redan, inte, redan medlem",
    ])
}
