import type { VisitorTexts } from './texts.ts';

export const romanian: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Acest cod nu există',
  unknownTyped:
    'Nu este nimic la această adresă. Dacă ați tastat-o, comparați fiecare literă cu tipăritura.',
  unknownScanned:
    'Dacă l-ați scanat, anunțați persoanele care l-au afișat: este posibil să fi fost șters.',
  codeForm: 'Codurile au 8 litere și cifre.',
  pausedTitle: 'Acest cod este în pauză',
  pausedBy: (business) => `${business} l-a dezactivat deocamdată.`,
  pausedByOwner: 'Proprietarul l-a dezactivat deocamdată.',
  tryLater: 'Încercați din nou mai târziu.',
  blockedTitle: 'Acest cod este blocat',
  blockedText:
    'Operatorul acestui server l-a dezactivat. Nu duce nicăieri, iar telefonul dvs. nu a deschis nimic altceva.',
  blockedAdvice: 'Dacă v-a cerut înainte bani sau o parolă, anunțați locul în care l-ați scanat.',
  stoppedTitle: 'Acest cod nu mai duce nicăieri',
  stoppedText: 'Proprietarul a părăsit acest serviciu.',
  warningTitle: 'Acest site poate fi periculos',
  flaggedByList: (list) =>
    `Acest cod duce la o adresă din lista „${list}” de site-uri înșelătoare sau dăunătoare. Lista poate greși.`,
  flaggedByOperator:
    'Operatorul acestui server a marcat această adresă ca înșelătoare sau dăunătoare.',
  flaggedByService:
    'Un serviciu de navigare sigură a marcat această adresă ca înșelătoare sau dăunătoare. Poate greși.',
  testAddress: 'Aceasta este o adresă de test inofensivă pentru avertismente ca acesta.',
  ifUnsure: 'Dacă nu sunteți sigur, închideți această pagină.',
  continueAnyway: 'Continuați oricum',
  wholeAddress: 'Adresa completă',
  unavailableTitle: 'Încercați din nou peste câteva clipe',
  unavailableText: 'Acest cod nu poate fi căutat acum. Codul și telefonul dvs. sunt în regulă.',
  errorTitle: 'Ceva nu a mers bine',
  errorText: 'Nu este vina dvs.',
  tryAgain: 'Încercați din nou',
  request: (id) => `Cererea ${id}`,
  rootText: 'Coduri QR tipărite a căror destinație o puteți schimba.',
  signIn: 'Autentificare',
  openPanel: 'Deschideți panoul',
  apiDocs: 'Documentația API',
  rootScanned: (address) =>
    `Ați scanat un cod și ați ajuns aici? Scanați-l din nou: lipsește ceva după ${address}.`,
  rootCode: 'Acest cod duce aici. Unde duc ale dvs., decideți dvs.',
};
