import type { VisitorTexts } from './texts.ts';

export const italian: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Questo codice non esiste',
  unknownTyped:
    'A questo indirizzo non c’è nulla. Se lo hai digitato, confronta ogni lettera con la stampa.',
  unknownScanned:
    'Se lo hai scansionato, avvisa chi lo ha esposto: il codice potrebbe essere stato eliminato.',
  codeForm: 'I codici hanno 8 lettere e cifre.',
  pausedTitle: 'Questo codice è in pausa',
  pausedBy: (business) => `${business} lo ha disattivato per ora.`,
  pausedByOwner: 'Il proprietario lo ha disattivato per ora.',
  tryLater: 'Riprova più tardi.',
  blockedTitle: 'Questo codice è bloccato',
  blockedText:
    'Il gestore di questo server lo ha disattivato. Non porta da nessuna parte e il tuo telefono non ha aperto altro.',
  blockedAdvice:
    'Se prima ti ha chiesto denaro o una password, avvisa il luogo in cui lo hai scansionato.',
  stoppedTitle: 'Questo codice non porta più da nessuna parte',
  stoppedText: 'Il proprietario ha lasciato questo servizio.',
  warningTitle: 'Questo sito potrebbe essere pericoloso',
  flaggedByList: (list) =>
    `Questo codice porta a un indirizzo nella lista “${list}” di siti ingannevoli o dannosi. La lista può sbagliarsi.`,
  flaggedByOperator:
    'Il gestore di questo server ha segnalato questo indirizzo come ingannevole o dannoso.',
  flaggedByService:
    'Un servizio di navigazione sicura ha segnalato questo indirizzo come ingannevole o dannoso. Può sbagliarsi.',
  testAddress: 'È un indirizzo di prova innocuo per avvisi come questo.',
  ifUnsure: 'Se hai dubbi, chiudi questa pagina.',
  continueAnyway: 'Continua comunque',
  wholeAddress: 'L’indirizzo completo',
  unavailableTitle: 'Riprova tra un momento',
  unavailableText:
    'Ora non è possibile cercare questo codice. Il codice e il tuo telefono sono a posto.',
  errorTitle: 'Qualcosa è andato storto',
  errorText: 'Non è colpa tua.',
  tryAgain: 'Riprova',
  request: (id) => `Richiesta ${id}`,
  rootText: 'Codici QR stampati di cui puoi cambiare la destinazione.',
  signIn: 'Accedi',
  openPanel: 'Apri il pannello',
  apiDocs: 'Documentazione API',
  rootScanned: (address) =>
    `Hai scansionato un codice e sei finito qui? Scansionalo di nuovo: manca qualcosa dopo ${address}.`,
  rootCode: 'Questo codice porta qui. Dove portano i tuoi, lo decidi tu.',
};
