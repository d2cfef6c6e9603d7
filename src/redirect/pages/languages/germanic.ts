import type { VisitorTexts } from './texts.ts';

export const germanic = {
  en: {
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
  },
  de: {
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
  },
  nl: {
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
  },
  sv: {
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
  },
} as const satisfies Readonly<Record<string, VisitorTexts>>;
