import type { VisitorTexts } from './texts.ts';

export const korean: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: '존재하지 않는 코드입니다',
  unknownTyped: '이 주소에는 아무것도 없습니다. 직접 입력했다면 인쇄물과 한 글자씩 비교해 보세요.',
  unknownScanned: '스캔했다면 코드를 붙인 사람에게 알려 주세요. 코드가 삭제되었을 수 있습니다.',
  codeForm: '코드는 8자리 영문자와 숫자입니다.',
  pausedTitle: '일시 중지된 코드입니다',
  pausedBy: (business) => `${business}에서 잠시 사용을 중지했습니다.`,
  pausedByOwner: '소유자가 잠시 사용을 중지했습니다.',
  tryLater: '나중에 다시 시도해 주세요.',
  blockedTitle: '차단된 코드입니다',
  blockedText:
    '이 서버의 운영자가 사용을 중지했습니다. 어디로도 연결되지 않으며, 휴대전화에서 다른 것은 열리지 않았습니다.',
  blockedAdvice: '이전에 돈이나 비밀번호를 요구받았다면 스캔한 곳에 알려 주세요.',
  stoppedTitle: '이 코드는 더 이상 어디로도 연결되지 않습니다',
  stoppedText: '소유자가 이 서비스를 떠났습니다.',
  warningTitle: '위험한 사이트일 수 있습니다',
  flaggedByList: (list) =>
    `이 코드는 사기성 또는 유해 사이트 목록 “${list}”에 있는 주소로 연결됩니다. 목록이 틀렸을 수도 있습니다.`,
  flaggedByOperator: '이 서버의 운영자가 이 주소를 사기성 또는 유해한 것으로 표시했습니다.',
  flaggedByService:
    '세이프 브라우징 서비스가 이 주소를 사기성 또는 유해한 것으로 표시했습니다. 틀렸을 수도 있습니다.',
  testAddress: '이와 같은 경고를 시험하기 위한 무해한 주소입니다.',
  ifUnsure: '확실하지 않으면 이 페이지를 닫으세요.',
  continueAnyway: '그래도 계속',
  wholeAddress: '전체 주소',
  unavailableTitle: '잠시 후 다시 시도해 주세요',
  unavailableText: '지금은 이 코드를 조회할 수 없습니다. 코드와 휴대전화에는 문제가 없습니다.',
  errorTitle: '문제가 발생했습니다',
  errorText: '고객님의 잘못이 아닙니다.',
  tryAgain: '다시 시도',
  request: (id) => `요청 ${id}`,
  rootText: '인쇄한 뒤에도 목적지를 바꿀 수 있는 QR 코드.',
  signIn: '로그인',
  openPanel: '관리 화면 열기',
  apiDocs: 'API 문서',
  rootScanned: (address) =>
    `코드를 스캔했는데 여기로 왔나요? 다시 스캔해 보세요. ${address} 뒤에 빠진 것이 있습니다.`,
  rootCode: '이 코드는 여기로 연결됩니다. 내 코드의 목적지는 내가 정합니다.',
};
