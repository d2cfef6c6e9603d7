import type { VisitorTexts } from './texts.ts';

export const otherEuropean = {
  hu: {
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
    flaggedByOperator:
      'A kiszolgáló üzemeltetője megtévesztőnek vagy károsnak jelölte ezt a címet.',
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
  },
  el: {
    direction: 'ltr',
    unknownTitle: 'Αυτός ο κωδικός δεν υπάρχει',
    unknownTyped:
      'Δεν υπάρχει τίποτα σε αυτή τη διεύθυνση. Αν την πληκτρολογήσατε, συγκρίνετε κάθε γράμμα με το έντυπο.',
    unknownScanned:
      'Αν τον σαρώσατε, ενημερώστε όσους τον τοποθέτησαν: ίσως ο κωδικός έχει διαγραφεί.',
    codeForm: 'Οι κωδικοί έχουν 8 γράμματα και ψηφία.',
    pausedTitle: 'Αυτός ο κωδικός είναι σε παύση',
    pausedBy: (business) => `Απενεργοποιήθηκε προσωρινά από: ${business}.`,
    pausedByOwner: 'Ο κάτοχός του τον έχει απενεργοποιήσει προσωρινά.',
    tryLater: 'Δοκιμάστε ξανά αργότερα.',
    blockedTitle: 'Αυτός ο κωδικός είναι αποκλεισμένος',
    blockedText:
      'Ο διαχειριστής αυτού του διακομιστή τον έχει απενεργοποιήσει. Δεν οδηγεί πουθενά και το τηλέφωνό σας δεν άνοιξε τίποτε άλλο.',
    blockedAdvice:
      'Αν παλαιότερα σας ζήτησε χρήματα ή κωδικό πρόσβασης, ενημερώστε το μέρος όπου τον σαρώσατε.',
    stoppedTitle: 'Αυτός ο κωδικός δεν οδηγεί πια πουθενά',
    stoppedText: 'Ο κάτοχός του έχει αποχωρήσει από την υπηρεσία.',
    warningTitle: 'Αυτός ο ιστότοπος μπορεί να είναι επικίνδυνος',
    flaggedByList: (list) =>
      `Αυτός ο κωδικός οδηγεί σε διεύθυνση της λίστας «${list}» με παραπλανητικούς ή επιβλαβείς ιστοτόπους. Η λίστα μπορεί να κάνει λάθος.`,
    flaggedByOperator:
      'Ο διαχειριστής αυτού του διακομιστή έχει επισημάνει αυτή τη διεύθυνση ως παραπλανητική ή επιβλαβή.',
    flaggedByService:
      'Μια υπηρεσία ασφαλούς περιήγησης έχει επισημάνει αυτή τη διεύθυνση ως παραπλανητική ή επιβλαβή. Μπορεί να κάνει λάθος.',
    testAddress: 'Αυτή είναι μια ακίνδυνη διεύθυνση δοκιμής για τέτοιες προειδοποιήσεις.',
    ifUnsure: 'Αν δεν είστε βέβαιοι, κλείστε αυτή τη σελίδα.',
    continueAnyway: 'Συνέχεια παρ’ όλα αυτά',
    wholeAddress: 'Ολόκληρη η διεύθυνση',
    unavailableTitle: 'Δοκιμάστε ξανά σε λίγο',
    unavailableText:
      'Δεν είναι δυνατή η αναζήτηση αυτού του κωδικού τώρα. Ο κωδικός και το τηλέφωνό σας είναι εντάξει.',
    errorTitle: 'Κάτι πήγε στραβά',
    errorText: 'Δεν φταίτε εσείς.',
    tryAgain: 'Δοκιμάστε ξανά',
    request: (id) => `Αίτημα ${id}`,
    rootText: 'Έντυποι κωδικοί QR, τον προορισμό των οποίων μπορείτε να αλλάξετε.',
    signIn: 'Σύνδεση',
    openPanel: 'Άνοιγμα του πίνακα',
    apiDocs: 'Τεκμηρίωση API',
    rootScanned: (address) =>
      `Σαρώσατε έναν κωδικό και βρεθήκατε εδώ; Σαρώστε τον ξανά: κάτι λείπει μετά το ${address}.`,
    rootCode: 'Αυτός ο κωδικός οδηγεί εδώ. Πού οδηγούν οι δικοί σας, το αποφασίζετε εσείς.',
  },
  tr: {
    direction: 'ltr',
    unknownTitle: 'Böyle bir kod yok',
    unknownTyped:
      'Bu adreste hiçbir şey yok. Adresi elle yazdıysanız her harfi baskıyla karşılaştırın.',
    unknownScanned: 'Kodu taradıysanız onu asanlara haber verin: kod silinmiş olabilir.',
    codeForm: 'Kodlar 8 harf ve rakamdan oluşur.',
    pausedTitle: 'Bu kod duraklatıldı',
    pausedBy: (business) => `${business} şimdilik kapattı.`,
    pausedByOwner: 'Sahibi şimdilik kapattı.',
    tryLater: 'Daha sonra yeniden deneyin.',
    blockedTitle: 'Bu kod engellendi',
    blockedText:
      'Bu sunucunun işletmecisi kodu kapattı. Hiçbir yere götürmez ve telefonunuz başka bir şey açmadı.',
    blockedAdvice: 'Daha önce sizden para veya parola istediyse kodu taradığınız yere bildirin.',
    stoppedTitle: 'Bu kod artık hiçbir yere götürmüyor',
    stoppedText: 'Sahibi bu hizmetten ayrıldı.',
    warningTitle: 'Bu site tehlikeli olabilir',
    flaggedByList: (list) =>
      `Bu kod, aldatıcı veya zararlı sitelerin “${list}” listesindeki bir adrese götürüyor. Liste yanılabilir.`,
    flaggedByOperator:
      'Bu sunucunun işletmecisi bu adresi aldatıcı veya zararlı olarak işaretledi.',
    flaggedByService:
      'Bir güvenli gezinme hizmeti bu adresi aldatıcı veya zararlı olarak işaretledi. Yanılabilir.',
    testAddress: 'Bu, bunun gibi uyarılar için zararsız bir deneme adresidir.',
    ifUnsure: 'Emin değilseniz bu sayfayı kapatın.',
    continueAnyway: 'Yine de devam et',
    wholeAddress: 'Adresin tamamı',
    unavailableTitle: 'Birazdan yeniden deneyin',
    unavailableText: 'Bu kod şu anda bulunamıyor. Kodda ve telefonunuzda bir sorun yok.',
    errorTitle: 'Bir sorun oluştu',
    errorText: 'Bu sizin hatanız değil.',
    tryAgain: 'Yeniden dene',
    request: (id) => `İstek ${id}`,
    rootText: 'Hedefini değiştirebileceğiniz basılı QR kodlar.',
    signIn: 'Oturum aç',
    openPanel: 'Paneli aç',
    apiDocs: 'API belgeleri',
    rootScanned: (address) =>
      `Bir kod taradınız ve buraya mı geldiniz? Yeniden tarayın: ${address} sonrasında bir şey eksik.`,
    rootCode: 'Bu kod buraya götürür. Sizinkilerin nereye götüreceğine siz karar verirsiniz.',
  },
} as const satisfies Readonly<Record<string, VisitorTexts>>;
