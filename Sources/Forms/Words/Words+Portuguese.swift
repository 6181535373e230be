// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Portuguese.
    static let portuguese = LanguageWords([
        .password: "palavra chave, *palavrapasse*, *senha*",
        .pin: "código secreto",
        .oneTimeCode: """
        código de autenticação, código de confirmação, código de segurança, código de uso único, \
        código de verificação, código enviado, código sms, senha de uso único, token
        """,
        .email: "correio eletrónico",
        .phone: "*celular*, *telefone*, telemóvel",
        .search: "busca, pesquis*, procur*",
        .captcha: "caracteres da imagem, digite o texto, letras da imagem",
        .trap: "deixar em branco, deixe em branco, não preencher",
        .username: "login de acesso, nome de usuário, nome de utilizador, *usuário*, *utilizador*",
        .alias: "alcunha, apelido, contribuinte, cpf, matrícula, número de cliente, número de utente",
        .account: "associado, conta, utente",
        .payment: "cartão, conta bancária, *cpfcnpj*, data de validade, número do cartão, *titular*, validade",
        .personName: """
        nome e sobrenome, nome próprio, nomedefamilia*, primeiro nome, seu nome, *sobrenome*, último nome
        """,
        .birthday: "=ano, =dia, idade, *nascimento*",
        .organization: "cargo, instituição, profissão, razão social",
        .address: "bairro, cep, cidade, complemento, código postal, distrito, estado, localidade, país, rua",
        .bareAddress: "endereço, morada",
        .securityAnswer: "pergunta de segurança, pergunta secreta, resposta*",
        .matter: """
        assunto, comentário*, convite, cupom, código promocional, desconto, gênero, mensagem, observações, \
        quantidade, sexo, valor
        """,
        .new: "criar, crie, defina, desejada, escolha",
        .current: "atual, *senhaatual*",
        .confirmation: """
        confirmar*, confirme, de novo, novamente, outra vez, redigit*, repetir, repita, verificar senha
        """,
        .strength: "letra maiúscula, maiúscula*, minúscula*, mínimo de, no mínimo, pelo menos",
        .signUp: """
        abra sua conta, abrir conta, cadastr*, criar conta, criar uma conta, crie a sua conta, \
        crie sua conta, inscreva*, nova conta, novo cadastro, registar
        """,
        .signIn: "aceder, acessar, acesse, entrar, fazer login, iniciar sessão",
        .remember: "continuar conectado, lembrar*, manter conectado, manter sessão, permanecer conectado",
        .terms: "aceito, concordo, condições, política de privacidade, termos",
        .passwordChange: "alterar senha, mudar senha, nova senha, recuperar senha, redefinir*, trocar senha",
        .lost: "esquec*, esqueceu, perdeu",
        .aside: "já sou, já tem conta, não a, não use",
    ])
}
