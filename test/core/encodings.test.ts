import { expect, test } from 'bun:test';
import { decodeAs, readingsOf } from '../../src/core/codes/tables/encodings.ts';
import { encodeIn } from '../support/encode.ts';
import { openIn, parsedTable, questionOf } from '../support/tables.ts';

/** What Excel saves as CSV in some countries: language of the browser, encoding, header and names. */
const files: readonly (readonly [string, string, string, string, string])[] = [
  [
    'Poland',
    'pl',
    'windows-1250',
    'Nazwa;Adres URL;Uwagi',
    'Łódź, Żółw|Kraków Świętej|Stolik przy oknie|Ogórki kiszone|Gołąbki',
  ],
  [
    'Czechia',
    'cs',
    'windows-1250',
    'Název;Odkaz;Poznámka',
    'Řízek s kaší|Jídelní lístek|Stůl č. 5|Žižkov|Účet|Obědy',
  ],
  [
    'Slovakia',
    'sk',
    'windows-1250',
    'Názov;Odkaz;Poznámka',
    'Bryndzové halušky|Jedálny lístok|Ľudovít|Čierne pivo|Kôň',
  ],
  [
    'Hungary',
    'hu',
    'windows-1250',
    'Név;Hivatkozás;Megjegyzés',
    'Gulyásleves|Hűtő|Főétel|Kürtőskalács|Győr|Üdítők',
  ],
  [
    'Romania',
    'ro',
    'windows-1250',
    'Nume;Adresă;Notă',
    'Ciorbă de burtă|Masă la fereastră|Braşov|Mămăligă|Bucureşti',
  ],
  [
    'Croatia',
    'hr',
    'windows-1250',
    'Naziv;Link;Napomena',
    'Ćevapi|Jelovnik|Šunka|Stol kraj prozora|Čaj|Žuti sir|Đakovo|Crni kruh|Kuća',
  ],
  [
    'Russia',
    'ru',
    'windows-1251',
    'Название;Ссылка;Примечание',
    'Стол 1|Окно 2|Борщ|Меню|Зал у входа|Чай с лимоном',
  ],
  ['Ukraine', 'uk', 'windows-1251', 'Назва;Посилання;Примітка', 'Стіл 1|Їжа|Борщ|Вареники|Київ'],
  ['Bulgaria', 'bg', 'windows-1251', 'Име;Връзка;Бележка', 'Маса 1|Баница|Шопска салата|София'],
  ['Greece', 'el', 'windows-1253', 'Όνομα;Σύνδεσμος;Σχόλια', 'Τραπέζι 1|Μενού|Σαλάτα|Αθήνα|Καφές'],
  [
    'Turkey',
    'tr',
    'windows-1254',
    'Ad;Bağlantı;Açıklama',
    'Masa 1|Işık|Çağrı|Kuşbaşı|Menü|Şehir|İstanbul|Sıcak içecekler',
  ],
  ['Israel', 'he', 'windows-1255', 'שם;קישור;הערה', 'שולחן 1|תפריט|סלט|תל אביב|קפה'],
  ['Egypt', 'ar', 'windows-1256', 'الاسم;الرابط;ملاحظات', 'طاولة 1|قائمة الطعام|سلطة|القاهرة'],
  [
    'Lithuania',
    'lt',
    'windows-1257',
    'Pavadinimas;Nuoroda;Pastaba',
    'Šaltibarščiai|Stalas prie lango|Žuvis|Kėdė|Ąžuolas|Šiaulių|Įėjimas',
  ],
  [
    'Latvia',
    'lv',
    'windows-1257',
    'Nosaukums;Saite;Piezīme',
    'Rīga|Galds pie loga|Ēdienkarte|Šķiņķis|Pīrādziņi|Zaļā tēja',
  ],
  [
    'Estonia',
    'et',
    'windows-1257',
    'Nimi;Link;Märkus',
    'Laud akna ääres|Õlu|Jõhvi|Söök|Kõrvits|Šokolaad',
  ],
  ['Thailand', 'th', 'windows-874', 'ชื่อ;ลิงก์;หมายเหตุ', 'โต๊ะ 1|เมนู|สลัด|กรุงเทพ'],
  ['Japan', 'ja', 'shift_jis', '名前;リンク;備考', 'テーブル1|メニュー|サラダ|東京|山田太郎'],
  ['China', 'zh-CN', 'gb18030', '名称;网址;备注', '桌子1|菜单|沙拉|北京|咖啡'],
  ['Taiwan', 'zh-TW', 'big5', '名稱;網址;備註', '桌子1|菜單|沙拉|台北|牛肉麵'],
  ['Korea', 'ko', 'euc-kr', '이름;링크;메모', '테이블 1|메뉴|샐러드|서울'],
  [
    'Germany',
    'de',
    'windows-1252',
    'Name;Adresse;Bemerkung',
    'Tisch 1 – Käse & Brötchen|Straße Süd|Übersicht|Grüne Soße|5 € Menü',
  ],
  [
    'France',
    'fr',
    'windows-1252',
    'Nom;Adresse;Remarque',
    'Crème brûlée|Café à la crème|Tête de bœuf|L’œuvre|Entrée|Père Noël',
  ],
  [
    'Spain',
    'es',
    'windows-1252',
    'Nombre;Enlace;Observación',
    'Jalapeño|Menú del día|¿Qué?|Niños|1º piso',
  ],
  [
    'Portugal',
    'pt',
    'windows-1252',
    'Nome;Endereço;Observação',
    'Pão|Refeição|Água|Mesa à janela|Limões|Açaí',
  ],
  ['Italy', 'it', 'windows-1252', 'Nome;Indirizzo;Nota', 'Caffè|Città|Perché|Menù|Lunedì'],
  [
    'Sweden',
    'sv',
    'windows-1252',
    'Namn;Länk;Anteckning',
    'Smörgås|Köttbullar|Malmö|Räksallad|Ångbåt',
  ],
  ['Denmark', 'da', 'windows-1252', 'Navn;Adresse;Bemærkning', 'Smørrebrød|Rødgrød|Århus|Æble|Øl'],
  ['Iceland', 'is', 'windows-1252', 'Nafn;Slóð;Athugasemd', 'Þingvellir|Borð|Ísafjörður|Brauð|Ýsa'],
  [
    'a Mac in France',
    'fr',
    'macintosh',
    'Nom;Adresse;Remarque',
    'Crème brûlée|Café|Entrée|Hôtel|Été',
  ],
];

const encode = (encoding: string, text: string) =>
  encodeIn(encoding === 'gb18030' ? 'gbk' : encoding, text);
const tableOf = (encoding: string, header: string, names: readonly string[]) =>
  encode(
    encoding,
    [header, ...names.map((name, at) => `${name};https://example.com/${at};`), ''].join('\r\n'),
  );

test.each(files)(
  'a table from %s is asked about, and the right letters are among the choices',
  (_, language, encoding, header, names) => {
    const all = names.split('|');
    const file = tableOf(encoding, header, all);
    const columns = [
      { role: 'name', of: 0 },
      { role: 'destination', of: 1 },
    ] as const;
    const view = questionOf(file, { languages: [language], header: true, columns });
    expect(openIn(view)).toEqual(['encoding']);
    const text = decodeAs(file, encoding) ?? '';
    const right = view.readings.find((one) => decodeAs(file, one.encoding) === text);
    expect(right?.words.length).toBeGreaterThanOrEqual(3);
    for (const word of right?.words ?? []) expect(text).toContain(word);
    const read = parsedTable(file, { encoding, header: true, columns });
    expect(read.rows.map(({ name }) => name)).toEqual(all);
  },
);

test.each(files)(
  'whoever chooses by the shown words of a short table from %s gets the right letters',
  (_, language, encoding, __, names) => {
    for (const name of names.split('|')) {
      const file = tableOf(encoding, 'name;destination;note', [name, 'Menu']);
      if (/^\p{ASCII}*$/u.test(name)) continue;
      const readings = readingsOf(file, [language]);
      expect(readings.length).toBeLessThanOrEqual(5);
      const shown = readings.map(({ words }) => words.join());
      expect(new Set(shown).size).toBe(shown.length);
      const right = readings.filter(({ words }) => words.includes(name));
      for (const { encoding: one } of right) expect(decodeAs(file, one)).toContain(`${name};`);
    }
  },
);

test('words in which two encodings differ are shown, wherever they are', () => {
  const names = [...Array.from({ length: 200 }, (_, at) => `Käse ${at}`), 'Čaj'];
  const readings = readingsOf(tableOf('windows-1250', 'name;destination;note', names), []);
  expect(readings.map(({ encoding }) => encoding)).toContain('windows-1250');
  const shown = readings.map(({ words }) => words.join());
  expect(new Set(shown).size).toBe(shown.length);
});

test('an encoding in which a file has undefined bytes is no choice', () => {
  const file = tableOf('windows-1251', 'name;destination;note', ['Џак']);
  for (const { encoding } of readingsOf(file, ['sr']))
    expect(decodeAs(file, encoding)).not.toBeNull();
});

test('a large file is sampled', () => {
  for (const line of ['a'.repeat(100), 'ä', 'ä,', 'ä\n', `${'a'.repeat(30_000)},ä,`]) {
    const file = new Uint8Array(Buffer.from(line.repeat(9_000_000 / line.length), 'latin1'));
    expect(readingsOf(file, []).length).toBeGreaterThanOrEqual(1);
  }
});

test('a row that a program read in a wrong encoding is refused, and no other', () => {
  const names = [
    'KÃ¤se',
    'FÅ‘Ã©tel',
    'Joeâ€™s',
    'Ð§Ð°Ð¹',
    'Käse',
    '„Spaß“',
    'SÃO “CAFÉ”',
    'Ãrea',
    'Ô™',
  ];
  const rows = names.map((name, at) => `${name};https://example.com/${at}`);
  const { rows: read } = parsedTable(['name;destination', ...rows].join('\n'));
  expect(
    read.map(({ problem }) => (problem !== null && 'meant' in problem ? problem.meant : null)),
  ).toEqual(['Käse', 'Főétel', 'Joe’s', 'Чай', null, null, null, null, null]);
});

test('a row that has lost characters is refused', () => {
  const file = new TextEncoder().encode('name;destination\nK\ufffdse;https://example.com/1\n');
  expect(parsedTable(file).rows[0]?.problem).toEqual({ kind: 'lost characters', noun: 'name' });
});
