import type { VisitorTexts } from './texts.ts';

export const hungarian: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Ez a kód nem létezik',
  unknownTyped:
    'Ezen a címen nincs semmi. Ha begépelte, hasonlítsa össze minden betűjét a nyomtatottal.',
  unknownScanned: 'Ha beolvasta, szóljon azoknak, akik kitették: lehet, hogy a kódot törölték.',
  codeForm: 'A kódok 8 betűből és számjegyből állnak.',
  pausedTitle: 'Ez a kód szünetel',
  pausedBy: (business) => `Egyelőre kikapcsolta: ${business}.`,
  pausedByOwner: 'A tulajdonosa egyelőre kikapcsolta.',
  tryLater: 'Próbálja meg később.',
  blockedTitle: 'Ez a kód le van tiltva',
  blockedText:
    'A kiszolgáló üzemeltetője kikapcsolta. Nem vezet sehova, és a telefonja semmi mást nem nyitott meg.',
  blockedAdvice: 'Ha korábban pénzt vagy jelszót kért, szóljon ott, ahol beolvasta.',
  stoppedTitle: 'Ez a kód már nem vezet sehova',
  stoppedText: 'A tulajdonosa elhagyta ezt a szolgáltatást.',
  warningTitle: 'Ez az oldal veszélyes lehet',
  flaggedByList: (list) =>
    `Ez a kód olyan címre vezet, amely a megtévesztő vagy káros oldalak „${list}” listáján van. A lista tévedhet.`,
  flaggedByOperator: 'A kiszolgáló üzemeltetője megtévesztőnek vagy károsnak jelölte ezt a címet.',
  flaggedByService:
    'Egy biztonságos böngészést segítő szolgáltatás megtévesztőnek vagy károsnak jelölte ezt a címet. Tévedhet.',
  testAddress: 'Ez egy ártalmatlan próbacím az ilyen figyelmeztetésekhez.',
  ifUnsure: 'Ha nem biztos benne, zárja be ezt az oldalt.',
  continueAnyway: 'Folytatás mindenképp',
  wholeAddress: 'A teljes cím',
  unavailableTitle: 'Próbálja újra egy pillanat múlva',
  unavailableText:
    'Ezt a kódot most nem lehet megkeresni. A kóddal és a telefonjával nincs semmi baj.',
  errorTitle: 'Valami hiba történt',
  errorText: 'Ez nem az Ön hibája.',
  tryAgain: 'Újra',
  request: (id) => `Kérés: ${id}`,
  rootText: 'Nyomtatott QR-kódok, amelyek célját megváltoztathatja.',
  signIn: 'Bejelentkezés',
  openPanel: 'Kezelőfelület megnyitása',
  apiDocs: 'API-dokumentáció',
  rootScanned: (address) =>
    `Beolvasott egy kódot, és ide jutott? Olvassa be újra: valami hiányzik ${address} után.`,
  rootCode: 'Ez a kód ide vezet. Hogy az Öné hova vezet, Ön dönti el.',
};
