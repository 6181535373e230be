// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Italian.
    static let italian = LanguageWords([
        .password: "parola d ordine, *parolachiave*",
        .pin: "codice pin, codice segreto",
        .oneTimeCode: """
        codice di conferma, codice di sicurezza, codice di verifica, codice otp, codice ricevuto, codice sms, \
        codice temporaneo, *codicediver*, password monouso
        """,
        .email: "indirizzo e mail, posta elettronica",
        .phone: "cellulare, numero di cellulare, recapito, *telefono*",
        .search: "ricerca",
        .captcha: "caratteri dell immagine, codice dell immagine, inserisci il testo",
        .trap: "lascia vuoto, lasciare in bianco, lasciare vuoto, non compilare",
        .username: "codice utente, identificativo, *nomeutente*, *utente*",
        .alias: "codice cliente, codice fiscale, numero cliente, numero socio, numero tessera, soprannome, tessera",
        .account: "cliente, conto, socio",
        .code: "codice",
        .payment: """
        carta di credito, conto corrente, data di scadenza, intestatario, numero carta, numero della carta, \
        scadenza, titolare*
        """,
        .personName: "*cognome*, il tuo nome, nome completo, nome di battesimo, nome e cognome, secondo nome",
        .bareName: "=nome",
        .birthday: "=anno, compleanno, =giorno, =mese, *nascita*",
        .organization: "azienda, ditta, professione, ragione sociale, società",
        .address: "cap, città, civico, codice postale, comune, nazione, numero civico, paese, regione",
        .bareAddress: "indirizzo",
        .securityAnswer: "domanda di sicurezza, domanda segreta, risposta*",
        .matter: """
        buono sconto, codice invito, codice promozionale, codice sconto, commento, importo, messaggio, \
        numero ordine, oggetto, partita iva, quantità, sconto, sesso, sito web
        """,
        .new: "crea, creare, desiderata, imposta, nuova, nuovo, scegli",
        .current: "attuale, corrente, precedente, vecchia, vecchio",
        .confirmation: """
        *conferma*, confermare, di nuovo, nuovamente, reinserisci, ridigita, *ripet*, ripeti, verifica
        """,
        .strength: "almeno, caratteri minimo, maiuscol*, minimo, minuscol*",
        .signUp: """
        apri un conto, crea account, crea il tuo account, crea un account, iscriviti, iscrizione, nuovo account, \
        nuovo cliente, nuovo utente, registra, registrare, registrat*, *registrazione*
        """,
        .signIn: "accedi, accesso, autenticazione, effettua l accesso, già registrato",
        .remember: "resta collegato, resta connesso, ricorda*, ricordami, rimani connesso",
        .terms: "accetto, acconsento, condizioni, informativa, termini",
        .passwordChange: """
        cambia la password, cambia password, modifica password, nuova password, recupera password, \
        reimposta*, ripristina password
        """,
        .lost: "dimentica*, dimenticata, dimenticato, smarrita",
        .aside: "hai già, non il, non la, sei già",
    ])
}
