import { expect, test } from 'bun:test';
import { parseTable } from '../../src/core/batches/table.ts';
import { Refused } from '../../src/core/errors.ts';
import { encodeIn } from '../support/encode.ts';

const read = (label: string, header: string, names: readonly string[]) => {
  const rows = names.map((name, at) => `${name};https://example.com/${at};`);
  return parseTable(encodeIn(label, [header, ...rows, ''].join('\r\n')));
};

/** What Excel saves as CSV in some countries: code page, header and names. */
const files: readonly (readonly [string, string, string, string])[] = [
  [
    'Poland',
    'windows-1250',
    'Nazwa;Adres URL;Uwagi',
    'Łódź, Żółw|Kraków Świętej|Stolik przy oknie|Ogórki kiszone|Gołąbki',
  ],
  [
    'Czechia',
    'windows-1250',
    'Název;Odkaz;Poznámka',
    'Řízek s kaší|Jídelní lístek|Stůl č. 5|Žižkov|Účet|Obědy',
  ],
  [
    'Slovakia',
    'windows-1250',
    'Názov;Odkaz;Poznámka',
    'Bryndzové halušky|Jedálny lístok|Ľudovít|Čierne pivo|Kôň',
  ],
  [
    'Hungary',
    'windows-1250',
    'Név;Hivatkozás;Megjegyzés',
    'Gulyásleves|Hűtő|Főétel|Kürtőskalács|Győr|Üdítők',
  ],
  [
    'Romania',
    'windows-1250',
    'Nume;Adresă;Notă',
    'Ciorbă de burtă|Masă la fereastră|Braşov|Mămăligă|Bucureşti',
  ],
  [
    'Croatia',
    'windows-1250',
    'Naziv;Link;Napomena',
    'Ćevapi|Jelovnik|Šunka|Stol kraj prozora|Čaj|Žuti sir|Đakovo|Crni kruh|Kuća',
  ],
  [
    'Russia',
    'windows-1251',
    'Название;Ссылка;Примечание',
    'Стол 1|Окно 2|Борщ|Меню|Зал у входа|Чай с лимоном',
  ],
  ['Ukraine', 'windows-1251', 'Назва;Посилання;Примітка', 'Стіл 1|Їжа|Борщ|Вареники|Київ'],
  ['Bulgaria', 'windows-1251', 'Име;Връзка;Бележка', 'Маса 1|Баница|Шопска салата|София'],
  ['Greece', 'windows-1253', 'Όνομα;Σύνδεσμος;Σχόλια', 'Τραπέζι 1|Μενού|Σαλάτα|Αθήνα|Καφές'],
  [
    'Turkey',
    'windows-1254',
    'Ad;Bağlantı;Açıklama',
    'Masa 1|Işık|Çağrı|Kuşbaşı|Menü|Şehir|İstanbul|Sıcak içecekler',
  ],
  ['Israel', 'windows-1255', 'שם;קישור;הערה', 'שולחן 1|תפריט|סלט|תל אביב|קפה'],
  ['Egypt', 'windows-1256', 'الاسم;الرابط;ملاحظات', 'طاولة 1|قائمة الطعام|سلطة|القاهرة'],
  [
    'Lithuania',
    'windows-1257',
    'Pavadinimas;Nuoroda;Pastaba',
    'Šaltibarščiai|Stalas prie lango|Žuvis|Kėdė|Ąžuolas|Šiaulių|Įėjimas',
  ],
  [
    'Latvia',
    'windows-1257',
    'Nosaukums;Saite;Piezīme',
    'Rīga|Galds pie loga|Ēdienkarte|Šķiņķis|Pīrādziņi|Zaļā tēja',
  ],
  [
    'Estonia',
    'windows-1257',
    'Nimi;Link;Märkus',
    'Laud akna ääres|Õlu|Jõhvi|Söök|Kõrvits|Šokolaad',
  ],
  ['Thailand', 'windows-874', 'ชื่อ;ลิงก์;หมายเหตุ', 'โต๊ะ 1|เมนู|สลัด|กรุงเทพ'],
  ['Japan', 'shift_jis', '名前;リンク;備考', 'テーブル1|メニュー|サラダ|東京|山田太郎'],
  ['China', 'gbk', '名称;网址;备注', '桌子1|菜单|沙拉|北京|咖啡'],
  ['Taiwan', 'big5', '名稱;網址;備註', '桌子1|菜單|沙拉|台北|牛肉麵'],
  ['Korea', 'euc-kr', '이름;링크;메모', '테이블 1|메뉴|샐러드|서울'],
  [
    'Germany',
    'windows-1252',
    'Name;Adresse;Bemerkung',
    'Tisch 1 – Käse & Brötchen|Straße Süd|Übersicht|Grüne Soße|5 € Menü',
  ],
  [
    'France',
    'windows-1252',
    'Nom;Adresse;Remarque',
    'Crème brûlée|Café à la crème|Tête de bœuf|L’œuvre|Entrée|Père Noël',
  ],
  [
    'Spain',
    'windows-1252',
    'Nombre;Enlace;Observación',
    'Jalapeño|Menú del día|¿Qué?|Niños|1º piso',
  ],
  [
    'Portugal',
    'windows-1252',
    'Nome;Endereço;Observação',
    'Pão|Refeição|Água|Mesa à janela|Limões|Açaí',
  ],
  ['Italy', 'windows-1252', 'Nome;Indirizzo;Nota', 'Caffè|Città|Perché|Menù|Lunedì'],
  ['Sweden', 'windows-1252', 'Namn;Länk;Anteckning', 'Smörgås|Köttbullar|Malmö|Räksallad|Ångbåt'],
  ['Denmark', 'windows-1252', 'Navn;Adresse;Bemærkning', 'Smørrebrød|Rødgrød|Århus|Æble|Øl'],
  ['Iceland', 'windows-1252', 'Nafn;Slóð;Athugasemd', 'Þingvellir|Borð|Ísafjörður|Brauð|Ýsa'],
  ['a Mac in France', 'macintosh', 'Nom;Adresse;Remarque', 'Crème brûlée|Café|Entrée|Hôtel|Été'],
];

test.each(files)(
  'a table from %s is read with the letters that it has',
  (_, label, header, names) => {
    const all = names.split('|');
    const { rows, notices } = read(label, header, all);
    expect(rows.map(({ name }) => name)).toEqual(all);
    expect(rows.map(({ destination }) => destination)).toEqual(
      all.map((_, at) => `https://example.com/${at}`),
    );
    expect(notices).toEqual([{ kind: 'encoding', encoding: expect.stringMatching(/^[\w -]+$/) }]);
  },
);

/** Returns what a table is read as: its names, or null when its encoding is not clear. */
function namesOf(
  label: string,
  header: string,
  names: readonly string[],
): (string | null)[] | null {
  try {
    return read(label, header, names).rows.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    expect(error.reason).toEqual({ kind: 'unknown encoding' });
    return null;
  }
}

// Words that are as good in another code page: nobody could tell.
const ambiguous = /^(?:沙拉|Stůl č\. 5)$/;

test.each(files)('a short table from %s is read right, or refused', (_, label, header, names) => {
  const all = names.split('|').filter((name) => !ambiguous.test(name));
  for (const [at, name] of all.entries())
    for (const some of [[name], [name, all[at - 1] ?? name]])
      for (const head of [header, 'name;destination;note'])
        expect([some, namesOf(label, head, some) ?? some]).toEqual([some, some]);
});

test.each(files)(
  'notes from %s behind an address are read correctly, or refused',
  (_, label, header, names) => {
    for (const name of names.split('|').filter((one) => !ambiguous.test(one)))
      for (const head of [header, 'name;url;note']) {
        const rows = [0, 1].map((at) => `Menu ${at};https://example.com/${at};${name}`);
        const file = encodeIn(label, [head, ...rows, ''].join('\r\n'));
        try {
          for (const { note } of parseTable(file).rows) expect(note).toBe(name);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
        }
      }
  },
);

test.each([
  ['windows-1250', 'Denumire;Link;Loc', 'Clătite'],
  ['windows-1250', 'Naziv;Poveznica;Napomena', 'Palačinke'],
  ['windows-1250', 'Nazwa;Link;Opis', 'Toaleta męska'],
  ['windows-1250', 'Názov;Odkaz;Poznámka', 'Polievka'],
  ['windows-1254', 'İsim;Sayfa;Konum', 'Muğla'],
  ['windows-1257', 'Pavadinimas;Nuoroda;Pastaba', 'Sūris'],
  ['windows-1257', 'Nosaukums;Saite;Apraksts', 'Zaļā'],
])('a header in %s is enough to recognize the code page: %s', (label, header, name) => {
  expect(namesOf(label, header, [name])).toEqual([name]);
});

test.each([
  [
    'windows-1250',
    'Toaleta męska|Stół 4|Częstochowa|Kuchyně|Zeď|Izba č. 3|Kŕmenie|Fűszer|Târgu Mureş|Râmnicu|Poreč|Žlica',
  ],
  ['windows-1251', 'Щи|Чай'],
  ['windows-1252', 'Bodø|Çà et là|Møterom'],
  ['windows-1253', 'Ώρα'],
  ['windows-1254', 'Muğla|Uğur|Balık'],
  ['windows-1256', 'تفاح'],
  ['windows-1257', 'Tauragė|Salė|Cēsis|Jūrmala|Ąsotis'],
  ['shift_jis', '城|寿司|電灯'],
  ['gbk', '办公室|会议室|面条'],
  ['big5', '滷肉飯|魚'],
  ['euc-jp', '寿司|大阪'],
  ['iso-8859-15', 'Œuf|Œuvre'],
  ['macintosh', 'Ñora'],
  ['iso-8859-2', 'Košík|Tomáš|Žižkov'],
  ['macintosh', 'Piña|León|García|Hôtel|Köttbullar'],
])('a single name in %s is never read as another one', (label, names) => {
  for (const name of names.split('|'))
    for (const some of [[name], [name, 'Menu 2']])
      for (const header of ['name;url;note', 'Name;Page;Price'])
        expect([some, namesOf(label, header, some) ?? some]).toEqual([some, some]);
});

test('a single western name is read', () => {
  const names =
    'Käse & Brötchen|Menü|Straße|Küche|Grüße|Café|Crème|Déjà vu|Forêt|Entrée|Menú|Niños|Jalapeño|Mañana|Pão|Coração|Limões|Caffè|' +
    'Città|Tiramisù|Smörgås|Malmö|Smørrebrød|Rødgrød|Joe’s Café|“Special”|5 € – today|5 £ lunch|30 m²|1½ l|Fish\u00a0and chips';
  for (const name of names.split('|'))
    expect(namesOf('windows-1252', 'name;destination;note', [name])).toEqual([name]);
});

test.each([
  ['of DOS in Germany', 'ibm850', [0x4b, 0x84, 0x73, 0x65]],
  // á is a no-break space, and č a Ÿ.
  ['of DOS in Slovakia', 'ibm852', [0x5a, 0xa0, 0x68, 0x72, 0x61, 0x64, 0x61]],
  ['of DOS in Czechia', 'ibm852', [0x9f, 0x61, 0x6a]],
  // A word begins with ©, which is Š.
  ['of a Mac or Linux in Czechia', 'iso-8859-2', [0xa9, 0x6b, 0x6f, 0x6c, 0x61]],
  ['of DOS in Poland', 'ibm852', [0x9d, 0xa2, 0x64, 0xab]],
  ['of old mail in Russia', 'koi8-r', [0xf3, 0xd4, 0xcf, 0xcc, 0x20, 0xef, 0xcb, 0xce, 0xcf]],
])('a code page %s is refused', (_, __, bytes) => {
  const text = new TextEncoder();
  const file = [...text.encode('name;url\n'), ...bytes, ...text.encode(';https://example.com/1\n')];
  expect(() => parseTable(new Uint8Array(file))).toThrow('unknown encoding');
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
  const { rows: read } = parseTable(['name;url', ...rows].join('\n'));
  expect(
    read.map(({ problem }) => (problem !== null && 'meant' in problem ? problem.meant : null)),
  ).toEqual(['Käse', 'Főétel', 'Joe’s', 'Чай', null, null, null, null, null]);
});

test('a row that has lost characters is refused', () => {
  const file = new TextEncoder().encode('name;url\nK\ufffdse;https://example.com/1\n');
  expect(parseTable(file).rows[0]?.problem).toEqual({ kind: 'lost characters', noun: 'name' });
});
