import type { VisitorTexts } from './texts.ts';

export const polish: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Ten kod nie istnieje',
  unknownTyped:
    'Pod tym adresem nic nie ma. Jeśli adres został wpisany ręcznie, porównaj każdą literę z wydrukiem.',
  unknownScanned:
    'Jeśli kod został zeskanowany, powiedz o tym osobom, które go umieściły: mógł zostać usunięty.',
  codeForm: 'Kody mają 8 liter i cyfr.',
  pausedTitle: 'Ten kod jest wstrzymany',
  pausedBy: (business) => `Tymczasowo wyłączony przez: ${business}.`,
  pausedByOwner: 'Właściciel tymczasowo go wyłączył.',
  tryLater: 'Spróbuj ponownie później.',
  blockedTitle: 'Ten kod jest zablokowany',
  blockedText:
    'Operator tego serwera go wyłączył. Kod donikąd nie prowadzi, a telefon nie otworzył niczego innego.',
  blockedAdvice:
    'Jeśli wcześniej pojawiła się prośba o pieniądze lub hasło, zgłoś to w miejscu, w którym znajduje się kod.',
  stoppedTitle: 'Ten kod już donikąd nie prowadzi',
  stoppedText: 'Jego właściciel opuścił tę usługę.',
  warningTitle: 'Ta strona może być niebezpieczna',
  flaggedByList: (list) =>
    `Ten kod prowadzi do adresu z listy „${list}” stron oszukańczych lub szkodliwych. Lista może się mylić.`,
  flaggedByOperator: 'Operator tego serwera oznaczył ten adres jako oszukańczy lub szkodliwy.',
  flaggedByService:
    'Usługa bezpiecznego przeglądania oznaczyła ten adres jako oszukańczy lub szkodliwy. Może się mylić.',
  testAddress: 'To nieszkodliwy adres testowy dla ostrzeżeń takich jak to.',
  ifUnsure: 'W razie wątpliwości zamknij tę stronę.',
  continueAnyway: 'Kontynuuj mimo to',
  wholeAddress: 'Cały adres',
  unavailableTitle: 'Spróbuj ponownie za chwilę',
  unavailableText: 'Nie można teraz sprawdzić tego kodu. Z kodem i telefonem wszystko w porządku.',
  errorTitle: 'Coś poszło nie tak',
  errorText: 'To nie Twoja wina.',
  tryAgain: 'Spróbuj ponownie',
  request: (id) => `Żądanie ${id}`,
  rootText: 'Drukowane kody QR, których cel można zmienić.',
  signIn: 'Zaloguj się',
  openPanel: 'Otwórz panel',
  apiDocs: 'Dokumentacja API',
  rootScanned: (address) =>
    `Skanowanie kodu prowadzi tutaj? Zeskanuj go jeszcze raz: po ${address} czegoś brakuje.`,
  rootCode: 'Ten kod prowadzi tutaj. Dokąd prowadzą Twoje, decydujesz Ty.',
};
