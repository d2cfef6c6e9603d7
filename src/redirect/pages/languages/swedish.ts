import type { VisitorTexts } from './texts.ts';

export const swedish: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Koden finns inte',
  unknownTyped:
    'Det finns inget på den här adressen. Om du skrev in den, jämför varje bokstav med trycket.',
  unknownScanned: 'Om du skannade den, säg till dem som satte upp den: koden kan ha tagits bort.',
  codeForm: 'Koder har 8 bokstäver och siffror.',
  pausedTitle: 'Koden är pausad',
  pausedBy: (business) => `${business} har stängt av den tills vidare.`,
  pausedByOwner: 'Ägaren har stängt av den tills vidare.',
  tryLater: 'Försök igen senare.',
  blockedTitle: 'Koden är spärrad',
  blockedText:
    'Den som driver servern har stängt av den. Den leder ingenstans, och din telefon har inte öppnat något annat.',
  blockedAdvice:
    'Om den tidigare bad dig om pengar eller ett lösenord, säg till där du skannade den.',
  stoppedTitle: 'Koden leder inte längre någonstans',
  stoppedText: 'Ägaren har lämnat tjänsten.',
  warningTitle: 'Webbplatsen kan vara farlig',
  flaggedByList: (list) =>
    `Koden leder till en adress på listan ”${list}” över bedrägliga eller skadliga webbplatser. Listan kan ha fel.`,
  flaggedByOperator: 'Den som driver servern har märkt adressen som bedräglig eller skadlig.',
  flaggedByService:
    'En tjänst för säker surfning har märkt adressen som bedräglig eller skadlig. Den kan ha fel.',
  testAddress: 'Det här är en ofarlig testadress för sådana här varningar.',
  ifUnsure: 'Stäng sidan om du är osäker.',
  continueAnyway: 'Fortsätt ändå',
  wholeAddress: 'Hela adressen',
  unavailableTitle: 'Försök igen om en stund',
  unavailableText:
    'Koden kan inte slås upp just nu. Det är inget fel på koden eller på din telefon.',
  errorTitle: 'Något gick fel',
  errorText: 'Det är inte ditt fel.',
  tryAgain: 'Försök igen',
  request: (id) => `Begäran ${id}`,
  rootText: 'Tryckta QR-koder vars mål du kan ändra.',
  signIn: 'Logga in',
  openPanel: 'Öppna panelen',
  apiDocs: 'API-dokumentation',
  rootScanned: (address) =>
    `Skannade du en kod och hamnade här? Skanna den igen: något efter ${address} saknas.`,
  rootCode: 'Den här koden leder hit. Vart dina leder bestämmer du.',
};
