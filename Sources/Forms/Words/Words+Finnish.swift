// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Finnish.
    static let finnish = LanguageWords([
        .password: "*salasana*",
        .pin: "pin koodi, tunnusluku",
        .oneTimeCode: "kertakäyttö*, tunnistuskoodi, *turvakoodi*, *vahvistuskoodi*",
        .email: "*sähköposti*",
        .phone: "kännykkä, matkapuhelin, *puhelin*",
        .search: "etsi, haku",
        .username: "*käyttäjä*, *käyttäjänimi*, *käyttäjätunnus*, tunnus",
        .alias: "asiakasnumero, jäsennumero, nimimerkki",
        .account: "asiakas, jäsen, tili",
        .code: "koodi",
        .payment: "henkilötunnus, kortin numero, kortinhaltija, korttinumero, luottokortti, tilinumero",
        .personName: "*etunimi*, koko nimi, nimesi, *sukunimi*",
        .birthday: "=kuukausi, =päivä, *syntymä*, =vuosi",
        .organization: "ammatti, organisaatio, yrityksen nimi, yritys",
        .address: "katuosoite, kaupunki, kunta, maa, postinumero, postitoimipaikka",
        .bareAddress: "osoite",
        .securityAnswer: "salainen kysymys, turvakysymys, vastaus",
        .matter: "aihe, alennuskoodi, kommentti, lahjakortti, määrä, sukupuoli, tilausnumero, viesti",
        .new: "luo, uuden, uusi, valitse",
        .current: "nykyinen, vanha",
        .confirmation: "toista*, uudelleen, uudestaan, *vahvista*",
        .strength: "merkkiä pitkä, vähintään",
        .signUp: "liity, luo käyttäjätili, luo tili, rekisteröi*, uusi asiakas, uusi käyttäjä",
        .signIn: "kirjaudu*, kirjautuminen",
        .remember: "muista*, pidä minut kirjautuneena",
        .terms: "ehdot, hyväksyn, käyttöehdot, tietosuoja*, uutiskirje",
        .passwordChange: "palauta salasana, uusi salasana, vaihda salasana",
        .lost: "unohdi*, unohtuiko, unohtunut",
        .aside: "ei sama, onko sinulla jo",
    ])
}
