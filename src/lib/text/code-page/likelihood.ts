/** The words of a language, as far as they tell it from others. */
export interface Language {
  /** How likely a word is: the logarithms of its pairs of letters, those of two ASCII letters left out. */
  score(word: string): number;
  /** Returns whether a character occurs in the names that the language was learned from. */
  has(character: string): boolean;
}

/**
 * Words of menus, rooms, towns and people.
 * They have pairs of letters that the names of countries and languages lack.
 */
const moreWords: Readonly<Record<string, string>> = {
  de: 'übersicht äpfel ärzte öl gemüse küche grüße müller größe tür straße büro getränke flügel köln schäfer böden häuser für bär späti',
  fr: 'œuf sœur cœur bœuf œuvre vœu nœud crêpe tête fête forêt père mère crème entrée été café thé pâté château gâteau hôtel île maître où là à côté façade glaçon réception étage hélène noël maïs légumes pêche fraîche brûlée brûlerie',
  es: 'jamón piña baño niño montaña señor año salón habitación sección camarón mañana núñez málaga cádiz león té café público sábado ñoquis',
  pt: 'pão coração limões camarões maçã irmã mãe joão são conceição gonçalves salão saída água época último praça açaí feijão você três avó à às pôr estação refeição',
  it: 'caffè città menù tiramisù perché però più lunedì qualità università libertà così tè ragù forlì niccolò là giù bambù virtù è purè',
  nl: 'één café patiënt coördinatie ruïne financiën industriële crème reünie ideeën zoë geïnteresseerd oriënt',
  sv: 'ångbåt smörgås räksallad öl ägg åre kök våning göteborg malmö umeå köttbullar åsa håkan björn älg gård mötesrum ingång rätter själv nära',
  da: 'smør brød rødgrød køb øl æble æg være køkken værelse møde dør søren jørgen på åben grøn kød læsø sø fløde kærlighed hjørne gård ås rød grønt',
  nb: 'rømme grøt bjørn kjøtt tromsø kjøkken møterom bodø ås øl håkon brød dør sjø ålesund værøy blåbær på årsmøte grønn kjære sæter rødvin',
  fi: 'pöytä keittiö yö äiti hämeenlinna jyväskylä öljy työ tiskipöytä pääovi mäkinen',
  is: 'borð þór guðrún ísafjörður brauð sæti höfn súpa bókasafn síld fjörður vík suður lækur ýsa',
  ca: 'plaça cafè tomàquet raïm català cançó església habitació núria òscar àngel pà calçots què',
  en: 'café crème brûlée façade jalapeño piña soufflé rosé pâté résumé fiancée naïve zoë beyoncé señor',
  pl: 'żurek łódź śledź śmietana gołąbki kraków święty źródło stół wąsik zając łukasz częstochowa gdańsk poznań toruń sałatka łosoś półka ściana krzyż jabłko późno drożdże rosół kąpiel główny pokój księga łazienka piętro węgiel młotek szkło ćwik męska mężczyźni',
  cs: 'řízek kaše jídelní lístek stůl žižkov účet oběd svíčková kuchyně dveře přední nápoj káva čaj dětské hřiště plzeň jiří dvořák šárka říha růžena zeď kůže třebíč ústí němec kuře snídaně dřevo východ děčín město zážitek lhůta vůz sýr',
  sk: 'halušky jedálny lístok ľudovít čierne kôň stôl izba kuchyňa čučoriedky dážď košice žilina prešov trenčín šťastný kováč mäso hľadisko kŕmenie vŕtačka kúpeľňa raňajky účtáreň šatňa syr východ',
  hu: 'étel főétel győr hűtő kürtő sütő üdítő gulyás húsleves pörkölt káposzta lángos rétes székely bejárat tárgyaló fürdő pénztár kávé sör őszibarack tűz hűvös fűszer fűtés gyümölcs ásványvíz túró körte öltöző üveg múzeum vár főtér',
  ro: 'ciorbă masă fereastră braşov mămăligă bucureşti iaşi constanţa piteşti râmnicu vâlcea galaţi ştefan ionuţ intrare sală şedinţe bucătărie băuturi şniţel salată pâine uşă îngheţată piaţa târgu mureş brânză peşte găluşte dulceaţă ieşire cărbune',
  hr: 'ćevapi ćevapčići jelovnik šunka čaj žuti đakovo kuća štrukli šibenik poreč požega đurđevac čakovec horvat marković željko šarić duško đukić piće mađarska riječka vrč šećer žlica voće večera češnjak jučer račun dođi',
  sl: 'štruklji žganci škofja črnomelj žalec pijača matjaž žagar boštjan čebela pražen čokolada hiša večerja račun češnja vhod učilnica',
  tr: 'masa ışık çağrı kuşbaşı menü şehir istanbul sıcak içecek çorba künefe şiş döner eskişehir diyarbakır muğla ağrı giriş toplantı çay yaşar ayşe yıldız oğuz şahin çiğdem gül bahçe yüzme uğur tatlı balık doğan kılıç öztürk dağıtım çıkış yağlı',
  lt: 'šaltibarščiai žuvis kėdė ąžuolas šiauliai įėjimas klaipėda panevėžys tauragė mažeikiai virtuvė salė gėrimai žemaitė šimkus rūta žukauskienė ąsotis sūris saulė ežeras gatvė žalioji aikštė kriaušė vištiena išėjimas mėsa pušis ūkis',
  lv: 'rīga galds ēdienkarte šķiņķis pīrādziņi zaļā tēja pelēkie zirņi kartupeļi liepāja jūrmala rēzekne cēsis zāle dzērieni jānis bērziņš kalniņa ķekava saldējums šokolāde ūdens gaļa ābols pļaviņas grāmata stāvs krējums bērnu ģērbtuve rātslaukums vārti āmurs',
  et: 'õlu jõhvi söök kõrvits šokolaad sült pärnu võru põlva jõgeva kärdla sissepääs köök jäätis õun põrand öö lõuna kohv laud väljapääs süsi mägi õnne',
};

/** Whether a language is written without an alphabet, so that single characters tell more than pairs. */
export function hasNoAlphabet(language: string): boolean {
  return /^(?:ja|ko|zh)/.test(language);
}

const learned = new Map<string, Language>();

/**
 * Returns a language, learned once from names in it.
 * They are of countries, languages, currencies and scripts.
 */
export function languageOf(language: string): Language {
  const known = learned.get(language) ?? learn(language);
  learned.set(language, known);
  return known;
}

// A pair that was not seen is as likely as a third of one that was, among some forty letters.
const unseen = 0.3;
const letters = 40;
const minLog = -6;
// Of tens of thousands of characters, a few hundred are seen.
const unseenCharacter = -11;

function learn(language: string): Language {
  const pairs = new Map<string, number>();
  const singles = new Map<string, number>();
  let total = 0;
  for (const word of namesIn(language)) {
    const padded = ` ${word} `;
    for (let at = 0; at + 1 < padded.length; at++) {
      const pair = padded.slice(at, at + 2);
      const single = padded.charAt(at);
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      singles.set(single, (singles.get(single) ?? 0) + 1);
      total++;
    }
  }
  const has = (character: string) => singles.has(character);
  const scoreOfCharacters = (word: string) => {
    let sum = 0;
    for (const character of word.replaceAll(/\p{ASCII}/gu, ''))
      sum += has(character) ? Math.log((singles.get(character) ?? 1) / total) : unseenCharacter;
    return sum;
  };
  const scoreOfPairs = (word: string) => {
    let sum = 0;
    for (const pair of pairsOf(word)) {
      const first = singles.get(pair.charAt(0)) ?? 0;
      const likelihood = ((pairs.get(pair) ?? 0) + unseen) / (first + unseen * letters);
      sum += Math.max(minLog, Math.log(likelihood));
    }
    return sum;
  };
  return { has, score: hasNoAlphabet(language) ? scoreOfCharacters : scoreOfPairs };
}

// They are more like what tables have than the names of countries and languages.
const timesOfMoreWords = 3;

/** Returns a text in lower case, except the İ of Turkish, which would become two characters. */
export function lowerCase(text: string): string {
  return text
    .split('İ')
    .map((part) => part.toLowerCase())
    .join('İ');
}

/**
 * Returns the pairs of letters of a word with its ends.
 * One letter is beyond ASCII, unless the whole word is ASCII.
 */
export function pairsOf(word: string): string[] {
  const padded = ` ${lowerCase(word)} `;
  const all = Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2));
  const beyond = all.filter((pair) => /[^\p{ASCII}]/u.test(pair));
  return beyond.length === 0 ? all : beyond;
}

/** Yields words of names in a language, which the runtime knows (Unicode CLDR). */
function* namesIn(language: string): Generator<string> {
  const pairs = Array.from({ length: 26 * 26 }, (_, at) =>
    String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26)),
  );
  const codes = {
    region: pairs.map((pair) => pair.toUpperCase()),
    language: pairs,
    currency: Intl.supportedValuesOf('currency'),
    script: [
      'Arab',
      'Armn',
      'Cyrl',
      'Deva',
      'Ethi',
      'Geor',
      'Grek',
      'Hang',
      'Hans',
      'Hant',
      'Hebr',
    ],
  } as const;
  for (const type of ['region', 'language', 'currency', 'script'] as const) {
    const names = new Intl.DisplayNames([language], { type, fallback: 'none' });
    for (const code of codes[type])
      yield* wordsOf(
        lowerCase(names.of(code) ?? '')
          .replaceAll('ț', 'ţ')
          .replaceAll('ș', 'ş'),
      );
  }
  for (let times = 0; times < timesOfMoreWords; times++) yield* wordsOf(moreWords[language] ?? '');
}

function wordsOf(text: string): string[] {
  return text.normalize('NFC').match(/[\p{L}\p{M}]+/gu) ?? [];
}
