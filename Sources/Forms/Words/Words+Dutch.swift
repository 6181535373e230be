// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Dutch.
    static let dutch = LanguageWords([
        .password: "*paswoord*, toegangscode, *wachtwoord*",
        .oneTimeCode: """
        *beveiligingscode*, *bevestigingscode*, controlecode, eenmalig wachtwoord, eenmalige code, \
        *verificatiecode*
        """,
        .email: "e mailadres, mailadres",
        .phone: "gsm nummer, mobiel*, *telefoon*",
        .search: "zoek*, zoeken",
        .captcha: "neem de letters over, typ de tekst",
        .trap: "laat leeg, leeg laten, niet invullen",
        .username: "*gebruiker*, *gebruikersnaam*, inlognaam, loginnaam",
        .alias: "bijnaam, klantnummer, lidmaatschapsnummer, lidnummer, relatienummer, schermnaam",
        .account: "klant, lid",
        .code: "activatiecode, activeringscode",
        .payment: "bsn, burgerservicenummer, creditcard, kaarthouder, kaartnummer, rekeningnummer, vervaldatum",
        .personName: """
        aanhef, *achternaam*, familienaam, je naam, tussenvoegsel, uw naam, volledige naam, *voornaam*
        """,
        .bareName: "=naam",
        .birthday: "=dag, *geboorte*, =jaar, leeftijd, =maand",
        .organization: "bedrijf, bedrijfsnaam, beroep, functie, organisatie, werkgever",
        .address: "huisnummer, plaats, provincie, stad, straat, *straatnaam*, toevoeging, woonplaats",
        .bareAddress: "adres",
        .securityAnswer: "antwoord*, beveiligingsvraag, geheime vraag",
        .matter: """
        aantal, actiecode, bedrag, bericht, bestelnummer, cadeaubon, geslacht, kortingscode, onderwerp, \
        opmerking*, uitnodigingscode, waardebon
        """,
        .new: "aanmaken, bedenk, gewenst*, kies, kiezen, maak een, nieuw, nieuwe",
        .current: "bestaand*, huidig*, oud, oude",
        .confirmation: "*bevestig*, *herhaal*, nogmaals, opnieuw, ter controle",
        .strength: "hoofdletter*, minimaal, minstens, tekens lang, ten minste",
        .signUp: """
        aanmelden, account aanmaken, inschrijven, maak een account, nieuw account, nieuwe klant, registreer*, \
        registreren, schrijf je in, word lid
        """,
        .signIn: "aanloggen, bestaande klant, *inloggen*, log in",
        .remember: "aangemeld blijven, blijf ingelogd, ingelogd blijven, onthoud*",
        .terms: "akkoord, nieuwsbrief, privacybeleid, voorwaarden",
        .passwordChange: """
        nieuw wachtwoord, wachtwoord herstellen, wachtwoord resetten, wachtwoord veranderen, \
        wachtwoord wijzigen, wijzig wachtwoord
        """,
        .lost: "kwijt, vergeten*",
        .aside: "al een account, niet het, niet je, niet uw",
    ])
}
