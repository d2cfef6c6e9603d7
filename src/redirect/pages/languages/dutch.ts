import type { VisitorTexts } from './texts.ts';

export const dutch: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Deze code bestaat niet',
  unknownTyped:
    'Er is niets op dit adres. Hebt u het ingetypt, vergelijk dan elke letter met de afdruk.',
  unknownScanned:
    'Hebt u de code gescand, zeg het dan tegen wie hem heeft opgehangen: misschien is de code verwijderd.',
  codeForm: 'Codes hebben 8 letters en cijfers.',
  pausedTitle: 'Deze code is gepauzeerd',
  pausedBy: (business) => `${business} heeft hem tijdelijk uitgezet.`,
  pausedByOwner: 'De eigenaar heeft hem tijdelijk uitgezet.',
  tryLater: 'Probeer het later nog eens.',
  blockedTitle: 'Deze code is geblokkeerd',
  blockedText:
    'De beheerder van deze server heeft hem uitgezet. Hij leidt nergens heen, en uw telefoon heeft niets anders geopend.',
  blockedAdvice:
    'Is u eerder om geld of een wachtwoord gevraagd, zeg het dan op de plek waar u hem hebt gescand.',
  stoppedTitle: 'Deze code leidt nergens meer heen',
  stoppedText: 'De eigenaar heeft deze dienst verlaten.',
  warningTitle: 'Deze website kan gevaarlijk zijn',
  flaggedByList: (list) =>
    `Deze code leidt naar een adres op de lijst “${list}” van misleidende of schadelijke websites. De lijst kan fout zijn.`,
  flaggedByOperator:
    'De beheerder van deze server heeft dit adres als misleidend of schadelijk gemarkeerd.',
  flaggedByService:
    'Een dienst voor veilig surfen heeft dit adres als misleidend of schadelijk gemarkeerd. Dat kan fout zijn.',
  testAddress: 'Dit is een onschuldig testadres voor waarschuwingen zoals deze.',
  ifUnsure: 'Sluit deze pagina als u het niet zeker weet.',
  continueAnyway: 'Toch doorgaan',
  wholeAddress: 'Het hele adres',
  unavailableTitle: 'Probeer het zo nog eens',
  unavailableText:
    'Deze code kan nu niet worden opgezocht. Met de code en uw telefoon is niets mis.',
  errorTitle: 'Er ging iets mis',
  errorText: 'Dit ligt niet aan u.',
  tryAgain: 'Opnieuw proberen',
  request: (id) => `Verzoek ${id}`,
  rootText: 'Gedrukte QR-codes waarvan u de bestemming kunt wijzigen.',
  signIn: 'Aanmelden',
  openPanel: 'Naar het beheer',
  apiDocs: 'API-documentatie',
  rootScanned: (address) =>
    `Hebt u een code gescand en bent u hier beland? Scan hem nog eens: er ontbreekt iets na ${address}.`,
  rootCode: 'Deze code leidt hierheen. Waar de uwe heen leiden, bepaalt u.',
};
