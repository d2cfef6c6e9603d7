import type { VisitorTexts } from './texts.ts';

export const slavic = {
  pl: {
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
    unavailableText:
      'Nie można teraz sprawdzić tego kodu. Z kodem i telefonem wszystko w porządku.',
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
  },
  cs: {
    direction: 'ltr',
    unknownTitle: 'Tento kód neexistuje',
    unknownTyped:
      'Na této adrese nic není. Pokud jste ji opsali, porovnejte každé písmeno s výtiskem.',
    unknownScanned:
      'Pokud jste kód naskenovali, řekněte to těm, kdo ho vyvěsili: možná byl smazán.',
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
    flaggedByOperator:
      'Provozovatel tohoto serveru označil tuto adresu za podvodnou nebo škodlivou.',
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
  },
  uk: {
    direction: 'ltr',
    unknownTitle: 'Такого коду не існує',
    unknownTyped:
      'За цією адресою нічого немає. Якщо ви ввели її вручну, звірте кожну літеру з надрукованою.',
    unknownScanned:
      'Якщо ви відсканували код, повідомте тих, хто його розмістив: можливо, його видалено.',
    codeForm: 'Код складається з 8 літер і цифр.',
    pausedTitle: 'Цей код призупинено',
    pausedBy: (business) => `Тимчасово вимкнено: ${business}.`,
    pausedByOwner: 'Власник тимчасово його вимкнув.',
    tryLater: 'Спробуйте пізніше.',
    blockedTitle: 'Цей код заблоковано',
    blockedText:
      'Оператор цього сервера вимкнув його. Код нікуди не веде, і ваш телефон більше нічого не відкрив.',
    blockedAdvice:
      'Якщо раніше він просив у вас гроші чи пароль, повідомте там, де ви його відсканували.',
    stoppedTitle: 'Цей код більше нікуди не веде',
    stoppedText: 'Його власник залишив цей сервіс.',
    warningTitle: 'Цей сайт може бути небезпечним',
    flaggedByList: (list) =>
      `Цей код веде на адресу зі списку «${list}» шахрайських або шкідливих сайтів. Список може помилятися.`,
    flaggedByOperator: 'Оператор цього сервера позначив цю адресу як шахрайську або шкідливу.',
    flaggedByService:
      'Служба безпечного перегляду позначила цю адресу як шахрайську або шкідливу. Вона може помилятися.',
    testAddress: 'Це безпечна тестова адреса для таких попереджень.',
    ifUnsure: 'Якщо ви не впевнені, закрийте цю сторінку.',
    continueAnyway: 'Усе одно продовжити',
    wholeAddress: 'Повна адреса',
    unavailableTitle: 'Спробуйте ще раз за мить',
    unavailableText: 'Зараз цей код неможливо знайти. І з кодом, і з вашим телефоном усе гаразд.',
    errorTitle: 'Сталася помилка',
    errorText: 'Це не ваша провина.',
    tryAgain: 'Спробувати ще раз',
    request: (id) => `Запит ${id}`,
    rootText: 'Надруковані QR-коди, призначення яких можна змінити.',
    signIn: 'Увійти',
    openPanel: 'Відкрити панель',
    apiDocs: 'Документація API',
    rootScanned: (address) =>
      `Ви відсканували код і потрапили сюди? Відскануйте його ще раз: після ${address} чогось бракує.`,
    rootCode: 'Цей код веде сюди. Куди ведуть ваші, вирішуєте ви.',
  },
  ru: {
    direction: 'ltr',
    unknownTitle: 'Такого кода не существует',
    unknownTyped:
      'По этому адресу ничего нет. Если вы набрали его вручную, сверьте каждую букву с напечатанной.',
    unknownScanned:
      'Если вы отсканировали код, сообщите тем, кто его разместил: возможно, он удалён.',
    codeForm: 'Код состоит из 8 букв и цифр.',
    pausedTitle: 'Этот код приостановлен',
    pausedBy: (business) => `Временно отключён: ${business}.`,
    pausedByOwner: 'Владелец временно отключил его.',
    tryLater: 'Попробуйте позже.',
    blockedTitle: 'Этот код заблокирован',
    blockedText:
      'Оператор этого сервера отключил его. Код никуда не ведёт, и ваш телефон больше ничего не открыл.',
    blockedAdvice:
      'Если раньше он просил у вас деньги или пароль, сообщите об этом там, где вы его отсканировали.',
    stoppedTitle: 'Этот код больше никуда не ведёт',
    stoppedText: 'Его владелец покинул этот сервис.',
    warningTitle: 'Этот сайт может быть опасен',
    flaggedByList: (list) =>
      `Этот код ведёт на адрес из списка «${list}» мошеннических или вредоносных сайтов. Список может ошибаться.`,
    flaggedByOperator:
      'Оператор этого сервера пометил этот адрес как мошеннический или вредоносный.',
    flaggedByService:
      'Служба безопасного просмотра пометила этот адрес как мошеннический или вредоносный. Она может ошибаться.',
    testAddress: 'Это безобидный тестовый адрес для таких предупреждений.',
    ifUnsure: 'Если вы не уверены, закройте эту страницу.',
    continueAnyway: 'Всё равно продолжить',
    wholeAddress: 'Полный адрес',
    unavailableTitle: 'Попробуйте ещё раз чуть позже',
    unavailableText:
      'Сейчас этот код невозможно найти. И с кодом, и с вашим телефоном всё в порядке.',
    errorTitle: 'Что-то пошло не так',
    errorText: 'Это не ваша вина.',
    tryAgain: 'Попробовать ещё раз',
    request: (id) => `Запрос ${id}`,
    rootText: 'Печатные QR-коды, назначение которых можно изменить.',
    signIn: 'Войти',
    openPanel: 'Открыть панель',
    apiDocs: 'Документация API',
    rootScanned: (address) =>
      `Вы отсканировали код и попали сюда? Отсканируйте его ещё раз: после ${address} чего-то не хватает.`,
    rootCode: 'Этот код ведёт сюда. Куда ведут ваши, решаете вы.',
  },
} as const satisfies Readonly<Record<string, VisitorTexts>>;
