import type { VisitorTexts } from './texts.ts';

export const english: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'This code does not exist',
  unknownTyped:
    'There is nothing at this address. If you typed it, compare each letter with the print.',
  unknownScanned:
    'If you scanned it, tell the people who put it up: the code may have been deleted.',
  codeForm: 'Codes have 8 letters and digits.',
  pausedTitle: 'This code is paused',
  pausedBy: (business) => `${business} has turned it off for now.`,
  pausedByOwner: 'Its owner has turned it off for now.',
  tryLater: 'Try it again later.',
  blockedTitle: 'This code is blocked',
  blockedText:
    'The operator of this server has turned it off. It leads nowhere, and your phone has opened nothing else.',
  blockedAdvice:
    'If it asked you for money or a password before, tell the place where you scanned it.',
  stoppedTitle: 'This code leads nowhere any more',
  stoppedText: 'Its owner has left this service.',
  warningTitle: 'This site may be dangerous',
  flaggedByList: (list) =>
    `This code leads to an address on the list “${list}” of deceptive or harmful sites. The list may be wrong.`,
  flaggedByOperator:
    'The operator of this server has flagged this address as deceptive or harmful.',
  flaggedByService:
    'A safe-browsing service has flagged this address as deceptive or harmful. It may be wrong.',
  testAddress: 'This is a harmless test address for warnings like this one.',
  ifUnsure: 'If you are not sure, close this page.',
  continueAnyway: 'Continue anyway',
  wholeAddress: 'The whole address',
  unavailableTitle: 'Try again in a moment',
  unavailableText:
    'This code can’t be looked up right now. The code itself is fine, and so is your phone.',
  errorTitle: 'Something went wrong',
  errorText: 'This is not your fault.',
  tryAgain: 'Try again',
  request: (id) => `Request ${id}`,
  rootText: 'Printed QR codes whose destination you can change.',
  signIn: 'Sign in',
  openPanel: 'Open the panel',
  apiDocs: 'API docs',
  rootScanned: (address) =>
    `You scanned a code and landed here? Scan it again: something after ${address} is missing.`,
  rootCode: 'This code leads here. Where yours lead, you decide.',
};
