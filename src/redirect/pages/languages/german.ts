import type { VisitorTexts } from './texts.ts';

export const german: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Diesen Code gibt es nicht',
  unknownTyped:
    'Unter dieser Adresse ist nichts. Wenn Sie sie eingetippt haben, vergleichen Sie jeden Buchstaben mit dem Druck.',
  unknownScanned:
    'Wenn Sie den Code gescannt haben, sagen Sie es denen, die ihn aufgehängt haben: Vielleicht wurde er gelöscht.',
  codeForm: 'Codes haben 8 Buchstaben und Ziffern.',
  pausedTitle: 'Dieser Code ist pausiert',
  pausedBy: (business) => `${business} hat ihn vorübergehend ausgeschaltet.`,
  pausedByOwner: 'Sein Besitzer hat ihn vorübergehend ausgeschaltet.',
  tryLater: 'Versuchen Sie es später noch einmal.',
  blockedTitle: 'Dieser Code ist gesperrt',
  blockedText:
    'Der Betreiber dieses Servers hat ihn abgeschaltet. Er führt nirgendwohin, und Ihr Telefon hat nichts anderes geöffnet.',
  blockedAdvice:
    'Wenn Sie vorher nach Geld oder einem Passwort gefragt wurden, sagen Sie es dort, wo Sie ihn gescannt haben.',
  stoppedTitle: 'Dieser Code führt nirgendwo mehr hin',
  stoppedText: 'Sein Besitzer hat diesen Dienst verlassen.',
  warningTitle: 'Diese Website könnte gefährlich sein',
  flaggedByList: (list) =>
    `Dieser Code führt zu einer Adresse auf der Liste „${list}“ betrügerischer oder schädlicher Websites. Die Liste kann sich irren.`,
  flaggedByOperator:
    'Der Betreiber dieses Servers hat diese Adresse als betrügerisch oder schädlich gemeldet.',
  flaggedByService:
    'Ein Dienst für sicheres Surfen hat diese Adresse als betrügerisch oder schädlich gemeldet. Er kann sich irren.',
  testAddress: 'Das ist eine harmlose Testadresse für Warnungen wie diese.',
  ifUnsure: 'Wenn Sie nicht sicher sind, schließen Sie diese Seite.',
  continueAnyway: 'Trotzdem fortfahren',
  wholeAddress: 'Die ganze Adresse',
  unavailableTitle: 'Versuchen Sie es gleich noch einmal',
  unavailableText:
    'Dieser Code kann gerade nicht nachgeschlagen werden. Mit dem Code und Ihrem Telefon ist alles in Ordnung.',
  errorTitle: 'Etwas ist schiefgegangen',
  errorText: 'Das liegt nicht an Ihnen.',
  tryAgain: 'Noch einmal versuchen',
  request: (id) => `Anfrage ${id}`,
  rootText: 'Gedruckte QR-Codes, deren Ziel Sie ändern können.',
  signIn: 'Anmelden',
  openPanel: 'Zur Verwaltung',
  apiDocs: 'API-Dokumentation',
  rootScanned: (address) =>
    `Sie haben einen Code gescannt und sind hier gelandet? Scannen Sie ihn noch einmal: Nach ${address} fehlt etwas.`,
  rootCode: 'Dieser Code führt hierher. Wohin Ihre führen, entscheiden Sie.',
};
