// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Danish.
    static let danish = LanguageWords([
        .password: "*adgangskode*, *kodeord*",
        .pin: "pinkode",
        .oneTimeCode: """
        *bekræftelseskode*, bekræftelsesnøgle, *engangskode*, *sikkerhedskode*, *verifikationskode*
        """,
        .email: "e mail adresse",
        .phone: "mobilnummer",
        .search: "søg*",
        .username: "*bruger*, bruger id, *brugernavn*",
        .alias: "kaldenavn, kundenummer, medlemsnummer",
        .account: "kunde, medlem",
        .code: "kode",
        .payment: "cpr nummer, kontonummer, kortholder, kortnummer, kreditkort, udløbsdato",
        .personName: "dit navn, *efternavn*, for og efternavn, *fornavn*, fulde navn, mellemnavn",
        .bareName: "=navn",
        .birthday: "alder, *fødsel*, *fødselsd*, =måned, =år",
        .organization: "firmanavn, stilling, virksomhed",
        .address: "etage, gade, husnummer, land, postnr, *postnummer*, vej",
        .bareAddress: "adresse",
        .securityAnswer: "hemmeligt spørgsmål, sikkerhedsspørgsmål, svar",
        .matter: """
        antal, beløb, besked, cvr, emne, gavekort, kampagnekode, kommentar*, køn, ordrenummer, rabatkode
        """,
        .new: "ny, nye, nyt, opret, vælg*, ønsket",
        .current: "eksisterende, gamle, gammel, nuværende",
        .confirmation: "bekræft*, en gang til, gentag*, igen",
        .strength: "mindst, stort bogstav, tegn lang",
        .signUp: """
        bliv medlem, ny konto, ny kunde, opret bruger, opret konto, opret profil, registrer*, tilmeld*
        """,
        .signIn: "log ind, log på",
        .remember: "forbliv logget, hold mig logget, husk, huske*",
        .terms: "accepterer, betingelser, nyhedsbrev, vilkår",
        .passwordChange: "nulstil adgangskode, ny adgangskode, skift adgangskode, skift kodeord",
        .lost: "glemt*",
        .aside: "har allerede, ikke",
    ])
}
