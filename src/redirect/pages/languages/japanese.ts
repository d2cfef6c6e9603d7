import type { VisitorTexts } from './texts.ts';

export const japanese: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'このコードは存在しません',
  unknownTyped:
    'このアドレスには何もありません。入力した場合は、印刷物と一文字ずつ見比べてください。',
  unknownScanned:
    'スキャンした場合は、掲示した方にお知らせください。コードが削除された可能性があります。',
  codeForm: 'コードは 8 文字の英数字です。',
  pausedTitle: 'このコードは一時停止中です',
  pausedBy: (business) => `${business} が一時的に停止しています。`,
  pausedByOwner: '所有者が一時的に停止しています。',
  tryLater: '後でもう一度お試しください。',
  blockedTitle: 'このコードはブロックされています',
  blockedText:
    'このサーバーの運営者が停止しました。どこにもつながらず、お使いの電話はほかに何も開いていません。',
  blockedAdvice: '以前にお金やパスワードを求められた場合は、スキャンした場所にお知らせください。',
  stoppedTitle: 'このコードはもうどこにもつながりません',
  stoppedText: '所有者はこのサービスの利用を終了しました。',
  warningTitle: 'このサイトは危険な可能性があります',
  flaggedByList: (list) =>
    `このコードの行き先は、偽サイトや有害サイトのリスト「${list}」に載っています。リストが間違っている可能性もあります。`,
  flaggedByOperator: 'このサーバーの運営者が、このアドレスを偽または有害と判断しました。',
  flaggedByService:
    'セーフブラウジングのサービスが、このアドレスを偽または有害と判断しました。間違っている可能性もあります。',
  testAddress: 'これは、このような警告を試すための無害なアドレスです。',
  ifUnsure: '確信がない場合は、このページを閉じてください。',
  continueAnyway: 'それでも続ける',
  wholeAddress: 'アドレス全体',
  unavailableTitle: 'しばらくしてからもう一度お試しください',
  unavailableText: '現在このコードを検索できません。コードにもお使いの電話にも問題はありません。',
  errorTitle: '問題が発生しました',
  errorText: 'お客様のせいではありません。',
  tryAgain: 'もう一度試す',
  request: (id) => `リクエスト ${id}`,
  rootText: '印刷した後でも行き先を変えられる QR コード。',
  signIn: 'サインイン',
  openPanel: '管理画面を開く',
  apiDocs: 'API ドキュメント',
  rootScanned: (address) =>
    `コードをスキャンしてここに来ましたか？もう一度スキャンしてください。${address} の後が抜けています。`,
  rootCode: 'このコードはここにつながります。あなたのコードの行き先は、あなたが決めます。',
};
