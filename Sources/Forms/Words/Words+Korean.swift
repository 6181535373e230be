// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Korean.
    static let korean = LanguageWords([
        .password: "비밀번호, 비번, 암호, 패스워드",
        .oneTimeCode: "보안코드, 인증번호, 인증코드, 일회용, 일회용 비밀번호, 확인코드",
        .email: "메일, 메일주소, 이메일, 전자우편",
        .phone: "연락처, 전화, 전화번호, 핸드폰, 휴대, 휴대폰",
        .search: "검색",
        .captcha: "보안문자, 이미지의 글자, 자동가입방지, 자동입력방지",
        .username: "로그인 아이디, 사용자, 사용자명, 아이디, 회원 아이디",
        .alias: "고객번호, 닉네임, 별명, 사번, 학번, 회원번호",
        .account: "계정, 고객, 회원",
        .code: "코드",
        .payment: "계좌번호, 예금주, 유효기간, 주민등록번호, 카드번호",
        .personName: "받는 사람, =성, 성명, 실명, 이름",
        .birthday: "나이, =년, 생년월일, 생일, =월, =일",
        .organization: "기관, 소속, 직업, 회사, 회사명",
        .address: "국가, 도시, 상세주소, 시도, 우편번호, 지역",
        .bareAddress: "주소",
        .securityAnswer: "답변, 비밀번호 질문, 비밀번호 힌트, 질문",
        .matter: "금액, 메시지, 문의, 성별, 수량, 제목, 주문번호, 초대코드, 추천인, 쿠폰, 프로모션, 할인코드",
        .new: "새, 새로운, 설정, 신규",
        .current: "기존, 예전, 이전, 현재",
        .confirmation: "다시, 재입력, 재확인, 한번 더, 확인",
        .strength: "영문, 자 이상, 자리 이상, 특수문자",
        .signUp: "가입, 계정 만들기, 등록하기, 신규가입, 회원가입",
        .signIn: "로그인",
        .remember: "기억, 로그인상태, 아이디 저장, 자동로그인",
        .terms: "개인정보, 동의, 수신, 약관",
        .passwordChange: "비밀번호 변경, 비밀번호 재설정, 비밀번호 초기화, 새 비밀번호",
        .lost: "분실, 잊으, 찾기",
        .aside: "아닌, 아닙니다",
    ])
}
