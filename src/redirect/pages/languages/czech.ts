import type { VisitorTexts } from './texts.ts';

export const czech: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Tento kód neexistuje',
  unknownTyped:
    'Na této adrese nic není. Pokud jste ji opsali, porovnejte každé písmeno s výtiskem.',
  unknownScanned: 'Pokud jste kód naskenovali, řekněte to těm, kdo ho vyvěsili: možná byl smazán.',
  codeForm: 'Kódy mají 8 písmen a číslic.',
  pausedTitle: 'Tento kód je pozastaven',
  pausedBy: (business) => `Dočasně vypnuto: ${business}.`,
  pausedByOwner: 'Jeho majitel ho dočasně vypnul.',
  tryLater: 'Zkuste to znovu později.',
  blockedTitle: 'Tento kód je zablokován',
  blockedText:
    'Provozovatel tohoto serveru ho vypnul. Nikam nevede a váš telefon nic jiného neotevřel.',
  blockedAdvice:
    'Pokud po vás předtím chtěl peníze nebo heslo, oznamte to na místě, kde jste ho naskenovali.',
  stoppedTitle: 'Tento kód už nikam nevede',
  stoppedText: 'Jeho majitel tuto službu opustil.',
  warningTitle: 'Tato stránka může být nebezpečná',
  flaggedByList: (list) =>
    `Tento kód vede na adresu ze seznamu „${list}“ podvodných nebo škodlivých stránek. Seznam se může mýlit.`,
  flaggedByOperator: 'Provozovatel tohoto serveru označil tuto adresu za podvodnou nebo škodlivou.',
  flaggedByService:
    'Služba bezpečného prohlížení označila tuto adresu za podvodnou nebo škodlivou. Může se mýlit.',
  testAddress: 'Toto je neškodná testovací adresa pro varování, jako je toto.',
  ifUnsure: 'Pokud si nejste jisti, tuto stránku zavřete.',
  continueAnyway: 'Přesto pokračovat',
  wholeAddress: 'Celá adresa',
  unavailableTitle: 'Zkuste to za chvíli znovu',
  unavailableText: 'Tento kód teď nelze vyhledat. Kód i váš telefon jsou v pořádku.',
  errorTitle: 'Něco se pokazilo',
  errorText: 'Není to vaše chyba.',
  tryAgain: 'Zkusit znovu',
  request: (id) => `Požadavek ${id}`,
  rootText: 'Tištěné QR kódy, jejichž cíl můžete změnit.',
  signIn: 'Přihlásit se',
  openPanel: 'Otevřít panel',
  apiDocs: 'Dokumentace API',
  rootScanned: (address) =>
    `Naskenovali jste kód a skončili zde? Naskenujte ho znovu: za ${address} něco chybí.`,
  rootCode: 'Tento kód vede sem. Kam povedou vaše, rozhodnete vy.',
};
