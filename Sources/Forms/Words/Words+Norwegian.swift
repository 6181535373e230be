// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Norwegian.
    static let norwegian = LanguageWords([
        .password: "*passord*",
        .oneTimeCode: "*bekreftelseskode*, *sikkerhetskode*, *verifiseringskode*",
        .email: "epostadresse",
        .search: "søk*",
        .username: "*bruker*, bruker id, *brukernavn*",
        .alias: "fødselsnummer, kallenavn, medlemsnr",
        .payment: "kredittkort, utløpsdato",
        .personName: "ditt navn, *etternavn*, for og etternavn, fullt navn, mellomnavn",
        .birthday: "*fødselsdato*",
        .organization: "bedrift",
        .address: "by, fylke, gate, poststed",
        .securityAnswer: "sikkerhetsspørsmål",
        .matter: "antall, beløp, kampanjekode, kjønn, melding, rabattkode",
        .new: "nytt, opprett, velg*",
        .current: "gammelt, nåværende",
        .confirmation: "bekreft*, gjenta*, igjen",
        .strength: "minst, stor bokstav",
        .signUp: "bli medlem, opprett bruker, opprett konto",
        .signIn: "innlogging, logg inn, logg på",
        .remember: "forbli innlogget, hold meg innlogget",
        .terms: "godtar, nyhetsbrev, personvern",
        .passwordChange: "bytt passord, endre passord, nytt passord, tilbakestill passord",
    ])
}
