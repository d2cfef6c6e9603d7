/**
 * The sentences of the visitor pages in one language.
 * Values that are passed in are HTML: escaped text, some of it in a `<bdi>`.
 */
export interface VisitorTexts {
  readonly direction: 'ltr' | 'rtl';

  readonly unknownTitle: string;
  readonly unknownTyped: string;
  readonly unknownScanned: string;
  readonly codeForm: string;

  readonly pausedTitle: string;
  readonly pausedBy: (business: string) => string;
  readonly pausedByOwner: string;
  readonly tryLater: string;

  readonly blockedTitle: string;
  readonly blockedText: string;
  readonly blockedAdvice: string;

  readonly stoppedTitle: string;
  readonly stoppedText: string;

  readonly warningTitle: string;
  readonly flaggedByList: (list: string) => string;
  readonly flaggedByOperator: string;
  readonly flaggedByService: string;
  readonly testAddress: string;
  readonly ifUnsure: string;
  readonly continueAnyway: string;
  readonly wholeAddress: string;

  readonly unavailableTitle: string;
  readonly unavailableText: string;
  readonly errorTitle: string;
  readonly errorText: string;
  readonly tryAgain: string;
  readonly request: (id: string) => string;

  readonly rootText: string;
  readonly signIn: string;
  readonly openPanel: string;
  readonly apiDocs: string;
  readonly rootScanned: (address: string) => string;
  readonly rootCode: string;
}
