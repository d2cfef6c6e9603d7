import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainDesign } from '../../src/core/designs/design.ts';
import { acting, addOwner, command, newQr } from '../stores/rows.ts';
import { encodeIn } from '../support/encode.ts';
import { ods, xlsx } from '../support/spreadsheets.ts';
import { createCommands } from './folder.ts';

const { folder, waymark, json, onStores, rows } = createCommands({
  WAYMARK_PUBLIC_URL: 'https://qr.example.com',
});
const email = 'a@example.org';

interface CodeRecord {
  readonly code: string;
  readonly url: string;
  readonly destination: string;
  readonly name: string | null;
}
interface CodeList {
  readonly data: CodeRecord[];
  readonly total: number;
}

/** Returns name and destination of the codes whose destination contains a text. */
const stored = (text: string) =>
  rows(`SELECT name, destination FROM qrs WHERE destination LIKE '%${text}%' ORDER BY id`);

/** Creates an account with codes in a list, the newest last. */
const addCodes = (owner: string, codes: readonly { name: string; destination: string }[]) =>
  onStores(async (stores) => {
    const account = await addOwner(stores, { email: owner });
    for (const [createdAtMs, code] of codes.entries())
      await stores.qrs.insert(newQr(account, { ...code, createdAtMs }), null, command);
  });

beforeAll(async () => {
  await addCodes(email, []);
  await onStores((stores) => addOwner(stores, { email: 'expired@example.org', planUntilMs: 1 }));
});

describe('a single code', () => {
  test('is created, shown, changed, paused and resumed', async () => {
    const line = 'code create https://example.com/menu --name Tisch_7';
    const created = (await json(`${line} --account ${email}`)) as CodeRecord; // the command prints one
    const { code } = created;
    expect(created).toEqual({
      code: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{8}$/),
      url: `https://qr.example.com/${code}`,
      destination: 'https://example.com/menu',
      name: 'Tisch_7',
      folder: null,
      archived: false,
      status: 'active',
      scans: 0,
      last_scan: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    } as typeof created); // with fields that this test alone reads
    expect(await json(`code show ${code.toUpperCase()}`)).toEqual(created);

    const changed = { ...created, destination: 'https://example.org/', name: 'Tisch_8' };
    expect(await json(`code set ${code} --url https://example.org/ --name Tisch_8`)).toEqual(
      changed,
    );
    for (const link of [created.url, created.url.toUpperCase(), `${created.url}?utm=1`])
      for (const whose of [`--account ${email}`, '--all']) {
        const { data } = (await json(`code list --search ${link} ${whose}`)) as CodeList;
        expect([link, data.map((found) => found.code)]).toEqual([link, [code]]);
      }
    expect(await json(`code pause ${code}`)).toEqual({ ...changed, status: 'paused' });
    expect(await json(`code resume ${code}`)).toEqual(changed);
    expect(await json(`code pause ${code} --message Closed`)).toMatchObject({
      status: 'paused',
      paused_message: 'Closed',
    });
    const paused = await waymark(`code pause ${code} --message Back_in_May`);
    expect(paused.stdout).toMatch(/^Its page says: Back_in_May$/m);
    const silent = await waymark(`code pause ${code} --message `);
    expect(silent.stdout).toMatch(/^Its page shows the message of the account\.$/m);
    expect(await json(`code resume ${code}`)).toEqual(changed);
    const noted = await waymark(`code set ${code} --note by_the_window --name `);
    expect(noted.stdout).toContain('Note:        by_the_window\n');
    expect(noted.stdout).not.toContain('Name:');
    await json(`safety block-code ${code}`);
    expect(await waymark(`code resume ${code}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is blocked'),
    });
  });

  test('is named by its short link as well, as it was printed or pasted', async () => {
    const created = (await json(
      `code create https://example.com/ --account ${email}`,
    )) as CodeRecord;
    const { code, url } = created;
    const host = url.replace('https://', '');
    for (const text of [
      ...[url, `${url}/`, `${url}?utm=1`, url.toUpperCase(), host, `http://${host}`],
      // Of a scanner, a chat or a table; and the path alone.
      ...[`${url}\n`, `\u200b${url}\u00a0`, `${code}\n`, `\t${code}`, `/${code}`, `${code}/?utm=1`],
    ])
      expect(await json(`code show ${text}`)).toEqual(created);
    expect(await json(`code set ${url} --name Pasted`)).toMatchObject({ code, name: 'Pasted' });
    expect(await json(`code pause ${url}`)).toMatchObject({ code, status: 'paused' });
    expect(await json(`code resume ${url}`)).toMatchObject({ code, status: 'active' });
    expect(await json(`code archive ${url}`)).toMatchObject({ code, archived: true });
    expect(await json(`code unarchive ${url}`)).toMatchObject({ code, archived: false });
    // With other settings than the server, by the link that was printed.
    const env = { WAYMARK_SHORT_URL: 'https://other.example' };
    expect(await json(`code show ${url}`, { env })).toMatchObject({ code });
    for (const command of ['code show', 'code pause', 'safety block-code'])
      expect(await waymark(`${command} https://third.example/${code}`)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(
          'third.example is no address of this server: qr.example.com',
        ),
      });
  });

  test('is named by a short link with a path, also with other settings than the server', async () => {
    const own = createCommands({ WAYMARK_PUBLIC_URL: 'https://qr.example.com/q' });
    await own.json(`account create ${email}`);
    const created = (await own.json(
      `code create https://example.com/ --account ${email}`,
    )) as CodeRecord;
    const env = { WAYMARK_PUBLIC_URL: 'https://other.example' };
    for (const text of [created.url, created.url.replace('https://', '')])
      expect(await own.json(`code show ${text}`, { env })).toEqual(created);
    expect(await own.json(`code show /q/${created.code}`)).toEqual(created);
  });

  const create = 'code create https://example.com/ --account';
  const long = 'x'.repeat(121);
  test.each([
    ['code create http:/x --account a@example.org', 2, 'must begin with http'],
    [`${create} expired@example.org`, 1, 'plan of this account has expired'],
    [`${create} nobody@example.org`, 1, 'no account'],
    [`${create} a@example.org --design Nope`, 1, 'no saved design named "Nope"'],
    ['code create https://qr.example.com/7h3k9m2x --account a@example.org', 2, 'loop'],
    [`${create} a@example.org --name ${long}`, 2, 'too long'],
    ['code create https://example.com/', 2, '--account'],
    ['code show 00000000', 1, 'There is no code "00000000"'],
    ['code set 00000000', 2, '--url, --name, --note, --folder'],
    ['code list --account a@example.org --limit 0', 2, 'from 1 to'],
    ['code list', 2, '--account, or list all with --all'],
    ['code list --all --account a@example.org', 2, 'cannot be used with'],
    ['code list --all --offset 99001', 2, '"waymark export" writes all'],
    ['code list --account a@example.org --design Nope', 1, 'no saved design named "Nope"'],
    [`link import a.csv --account a@example.org --folder ${long}`, 2, 'The folder is too long'],
  ])('%s is refused', async (line, exitCode, message) => {
    expect(await waymark(line)).toMatchObject({
      exitCode,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  test('is not created at a prefix that the server lacks', async () => {
    await addCodes('prefix@example.org', [{ name: 'Prefix', destination: 'https://example.com/' }]);
    const other = { WAYMARK_PUBLIC_URL: 'https://other.example' };
    const line = `code create https://example.com/ --account ${email}`;
    const { exitCode, stderr } = await waymark(line, { env: other });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('https://qr.example.com')]);
    // What needs no short link works with any settings.
    const [code] = await rows("SELECT code FROM qrs WHERE name = 'Prefix'");
    expect(await waymark(`code pause ${code?.['code']}`, { env: other })).toMatchObject({
      exitCode: 0,
    });
  });
});

test('a list has a page of the codes, and of those that match a search', async () => {
  const owner = 'lists@example.org';
  const names = Array.from({ length: 7 }, (_, at) => `Größe ${at}`);
  await addCodes(
    owner,
    names.map((name, at) => ({ name, destination: `https://example.com/${at}` })),
  );
  const page = async (line: string) =>
    (await json(`code list --account ${owner} ${line}`)) as CodeList; // the command prints one
  const all = await page('--limit 100');
  expect(all.total).toBe(7);
  expect(all.data.map(({ name }) => name)).toEqual(names.toReversed());
  expect(await page('--limit 2 --offset 3')).toEqual({ data: all.data.slice(3, 5), total: 7 });
  expect(await page('--search GRÖSSE')).toEqual(all);
  expect(await page('--search größe --limit 3 --offset 2')).toEqual({
    data: all.data.slice(2, 5),
    total: 7,
  });
  expect(await page('--search example.com/4')).toMatchObject({
    data: [{ name: 'Größe 4' }],
    total: 1,
  });
  const shown = (await waymark(`code list --account ${owner} --limit 2`)).stdout.split('\n');
  expect(shown[0]).toMatch(/^CODE +STATUS +SCANS +LAST SCAN \(UTC\) +NAME +FOLDER +DESTINATION$/);
  expect(shown[1]).toMatch(/^\w{8} +active +0 +never +Größe 6 +https:\/\/example.com\/6$/);
  expect(shown[3]).toContain('and 5 more');
  expect((await waymark(`code list --account ${owner} --offset 7`)).stdout).toBe(
    'There are no more than 7 codes. Use a smaller --offset.\n',
  );
  // As a script writes it whose variable is not set.
  expect((await waymark(`code list --account ${owner} --folder=`)).stdout).toBe(
    'There is no such code.\n',
  );
});

test('a list of all accounts merges their codes in its order', async () => {
  const own = createCommands({ WAYMARK_SHORT_URL: 'https://qr.example.com' });
  await own.onStores(async (stores) => {
    for (const [number, name] of ['b@example.org', 'a@example.org'].entries()) {
      const account = await addOwner(stores, { email: name });
      for (let at = 0; at < 3; at++) {
        const createdAtMs = at * 10 + number;
        const code = {
          name: `Name ${createdAtMs}`,
          destination: 'https://example.com/',
          createdAtMs,
        };
        await stores.qrs.insert(newQr(account, code), null, command);
      }
    }
  });
  const page = (line: string) => own.json(`code list --all ${line}`) as Promise<CodeList>; // the command prints one
  const namesOf = ({ data }: CodeList) => data.map(({ name }) => name);
  const all = await page('--limit 100');
  expect(all.total).toBe(6);
  expect(namesOf(all)).toEqual([21, 20, 11, 10, 1, 0].map((number) => `Name ${number}`));
  expect(await page('--limit 2 --offset 1')).toEqual({ data: all.data.slice(1, 3), total: 6 });
  expect(await page('--search name_2')).toEqual({ data: [], total: 0 });
  expect(namesOf(await page('--sort name'))).toEqual(namesOf(all).toReversed());
  expect(all.data[0]).toMatchObject({ account: 'a@example.org' });
  expect((await own.waymark('code list --all')).stdout).toMatch(
    /^CODE +ACCOUNT .*\n\w{8} +a@example/,
  );
  await own.json('account delete a@example.org --codes stop --yes');
  const kept = await page('--sort newest');
  expect(kept.total).toBe(6);
  expect(kept.data[0]).toMatchObject({ account: 'nobody', status: 'stopped' });
});

describe('an import', () => {
  const write = (text: string) => writeFileSync(join(folder, 'codes.csv'), text);
  const importing = `code import codes.csv --account ${email}`;
  const bad = [
    'Name;Destination;Note',
    'Good;https://example.com/good;=1+1',
    'Bad;htp:/example.com;',
    'Again;https://example.com/again;',
    'Again;https://example.com/again;',
    'Test;https://testsafebrowsing.appspot.com/s/phishing.html;',
  ].join('\r\n');
  const refused = [
    { row: 3, reason: 'The URL must begin with http:// or https://.' },
    { row: 5, reason: 'Row 4 has the same name and destination.' },
    { row: 6, reason: expect.stringContaining('flagged as dangerous') },
  ];

  const none = { refused: [], ignored_columns: [], existing: 0 };
  const report = { ...none, rows: 5, refused };

  test('with a bad row creates nothing and says why, unless the good rows are asked for', async () => {
    write(bad);
    const { exitCode, stdout, stderr } = await waymark(`${importing} --json`);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ ...report, created: 0 });
    expect(stderr).toContain('3 of 5 rows have a problem. Nothing was created.');
    expect(await stored('example.com/good')).toEqual([]);

    expect(await json(`${importing} --only-good`)).toEqual({ ...report, created: 2 });
    expect(await stored('example.com/again')).toHaveLength(1);
    expect(await rows("SELECT destination, note FROM qrs WHERE name = 'Good'")).toEqual([
      { destination: 'https://example.com/good', note: '=1+1' },
    ]);
  });

  test('writes the refused rows to a file, which can be corrected and imported', async () => {
    const long = 'n'.repeat(121);
    write(
      `id;destination;name;note\n1;example.com/refused;${long};"=1\n2"\n2;https://example.com/fine;Fine;\n`,
    );
    const { exitCode, stdout } = await waymark(`${importing} --refused refused.csv`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('The column "id" is ignored.\n');
    expect(stdout).toContain('https:// was put before the address of row 2.\n');
    expect(stdout).toContain('The refused rows are in refused.csv.');
    const file = await Bun.file(join(folder, 'refused.csv')).text();
    const reason = 'The name is too long: at most 120 characters are possible.';
    expect(file).toBe(
      `row,name,note,folder,destination,problem\r\n2,${long},"'=1\n2",,https://example.com/refused,${reason}\r\n`,
    );
    write(file.replace(long, 'Refused'));
    expect(await json(`${importing} --folder Corrected`)).toEqual({
      ...none,
      rows: 1,
      created: 1,
      ignored_columns: ['row', 'problem'],
    });
    expect(await stored('example.com/refused')).toEqual([
      { name: 'Refused', destination: 'https://example.com/refused' },
    ]);
  });

  test('asks what is in the columns where that is not plain, and takes the answer', async () => {
    write('Was,Page,Web page\nA,https://example.com/page,https://example.com/website\n');
    const { exitCode, stdout, stderr } = await waymark(importing);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(
      `${[
        'waymark: codes.csv does not say plainly what is in its columns, so nothing was created. Their headers and first values:',
        '  1  Was       A',
        '  2  Page      https://example.com/page',
        '  3  Web page  https://example.com/website',
        "Name the column of the destinations, by header or number: --column destination=Page or --column destination='Web page'",
        'Other columns: --column name=HEADER, and note, folder and path.',
      ].join('\n')}\n`,
    );
    expect(await stored('example.com/page')).toEqual([]);
    expect(await json(`${importing} --column destination=3 --column name=was`)).toEqual({
      ...none,
      rows: 1,
      created: 1,
      ignored_columns: ['Page'],
    });
    expect(await stored('example.com/website')).toEqual([
      { name: 'A', destination: 'https://example.com/website' },
    ]);
    expect((await waymark(`${importing} --column destination=Other`)).stderr).toContain(
      'The table has no column "Other". It has "Was", "Page", "Web page".',
    );
    for (const wrong of ['--column Page', '--column page=Page', '--column name=1 --column name=2'])
      expect((await waymark(`${importing} ${wrong}`)).exitCode).toBe(2);
  });

  test('asks whether the first row is a header, and how lines are split', async () => {
    write('a.example,A\nb.example,B');
    const columns = '--column destination=1 --column name=2';
    expect((await waymark(`${importing} ${columns}`)).stderr).toContain('--header no');
    expect(await json(`${importing} ${columns} --header no`)).toMatchObject({ created: 2 });
    write('https://example.com/parts,Menu\nhttps://example.com/parts/2,Card');
    expect((await waymark(importing)).stderr).toContain(
      '--separator comma, semicolon, tab or none',
    );
    const split = `${importing} --separator comma --column name=2`;
    expect(await json(split)).toMatchObject({ created: 2 });
    expect(await stored('example.com/parts')).toHaveLength(2);
  });

  test('asks which letters are right, and takes an encoding', async () => {
    const table = 'name;destination\nGołąbki;https://example.com/letters';
    writeFileSync(join(folder, 'codes.csv'), encodeIn('windows-1250', table));
    const env = { LANG: 'pl_PL.UTF-8', LC_ALL: '' };
    const { exitCode, stderr } = await waymark(importing, { env });
    expect(exitCode).toBe(1);
    expect(stderr.split('\n').slice(1, 3)).toEqual([
      '  --encoding windows-1250  Gołąbki  (Central European, Windows-1250)',
      '  --encoding iso-8859-2    Gołšbki  (Central European, ISO 8859-2)',
    ]);
    expect((await waymark(`${importing} --encoding latin99`)).exitCode).toBe(2);
    expect((await waymark(`${importing} --encoding utf-8`)).stderr).toContain(
      'The file is not in the encoding utf-8.',
    );
    const { stdout } = await waymark(`${importing} --encoding cp1250`);
    expect(stdout).toContain('The file was read as windows-1250.');
    expect(await stored('example.com/letters')).toEqual([
      { name: 'Gołąbki', destination: 'https://example.com/letters' },
    ]);
  });

  test('names the sheet that was read, and asks for one where several may be meant', async () => {
    const codes = (name: string) => ({
      name,
      rows: [
        ['Name', 'Destination'],
        ['A', `https://example.com/of-${name}`],
      ],
    });
    const cover = { name: 'Cover', rows: [['Inventory']] };
    const path = join(folder, 'codes.xlsx');
    const sheetCommand = `code import codes.xlsx --account ${email}`;
    await Bun.write(path, xlsx([cover, codes('Old'), codes('New')]));
    const asked = await waymark(sheetCommand);
    expect({ exitCode: asked.exitCode, stdout: asked.stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(asked.stderr).toContain('Name one:\n  --sheet Cover\n  --sheet Old\n  --sheet New');
    expect(await json(`${sheetCommand} --sheet New`)).toEqual({ ...none, rows: 1, created: 1 });
    expect(await stored('example.com/of-New')).toHaveLength(1);
    await Bun.write(path, xlsx([{ name: 'Cover', rows: [] }, codes('Only')]));
    const { stdout } = await waymark(sheetCommand);
    expect(stdout).toContain(
      'The sheet "Only" was read; 1 other sheet is not.\n--sheet reads another one: "Cover".\n',
    );
    expect(await stored('example.com/of-Only')).toHaveLength(1);
  });

  test('of a finished file leaves out the codes that exist, unless --again', async () => {
    const owner = 'again@example.org';
    await addCodes(owner, [
      { name: 'Once', destination: 'https://example.com/once' },
      { name: 'Twice', destination: 'https://example.com/twice' },
    ]);
    const again = `code import codes.csv --account ${owner}`;
    write('name,url\nOnce,https://example.com/once\nTwice,https://example.com/twice\n');
    expect(await json(again)).toEqual({ ...none, rows: 2, created: 0, existing: 2 });
    expect((await waymark(`${again} --dry-run`)).stdout).toContain(
      '2 rows have the name and destination of existing codes and are left out. --again creates them.',
    );
    write('name,url\nOnce,https://example.com/once\nNew,https://example.com/once\n');
    expect(await json(`${again} --dry-run`)).toMatchObject({ created: 0, existing: 1 });
    expect(await stored('example.com/once')).toHaveLength(1);
    expect(await json(again)).toEqual({ ...none, rows: 2, created: 1, existing: 1 });
    expect(await json(`${again} --again`)).toEqual({ ...none, rows: 2, created: 2 });
    expect(await stored('example.com/once')).toHaveLength(4);
  });

  test('reads a sheet of a spreadsheet', async () => {
    const sheet = (name: string, ...row: string[]) => ({
      name,
      rows: [['Name', 'Destination'], row],
    });
    const sheets = [
      sheet('Tables', 'S1', 'example.com/s1'),
      sheet('More', 'S2', 'https://example.com/s2'),
    ];
    writeFileSync(join(folder, 'sheets.xlsx'), xlsx(sheets));
    writeFileSync(join(folder, 'sheets.ods'), ods(sheets));
    expect(
      (await waymark(`code import sheets.ods --account ${email} --sheet tables`)).stdout,
    ).toContain('The sheet "Tables" was read; 1 other sheet is not.');
    const command = `code import sheets.xlsx --account ${email} --sheet`;
    expect(await json(`${command} more`)).toMatchObject({ created: 1 });
    expect((await waymark(`${command} Else`)).stderr).toContain(
      'The spreadsheet has no sheet "Else". It has "Tables", "More".',
    );
    expect(await stored('example.com/s_')).toEqual([
      { name: 'S1', destination: 'https://example.com/s1' },
      { name: 'S2', destination: 'https://example.com/s2' },
    ]);
    write('https://example.com/');
    expect((await waymark(`${importing} --sheet Tables`)).stderr).toContain('has no sheets');
  });

  test('reads standard input, and trims invisible characters that a spreadsheet left', async () => {
    const { stdout } = await waymark(`code import - --account ${email} --json`, {
      stdin: '\u200bName;URL\n\u200eMenu\u00a0;\u200bhttps://example.com/invisible\u2060\n',
    });
    expect(JSON.parse(stdout)).toEqual({ ...none, rows: 1, created: 1 });
    expect(await stored('example.com/invisible')).toEqual([
      { name: 'Menu', destination: 'https://example.com/invisible' },
    ]);
  });

  // test/core/table.test.ts has all that is refused.
  test.each([
    ['50 MB', 'x'.repeat(50_000_000), 'longer than 10 MB'],
    ['a row of 1 MB', `a,https://example.com/${'x'.repeat(1_000_000)}`, 'Every row has a problem'],
  ])('of %s is refused in words', async (_, content, message) => {
    write(content);
    const { exitCode, stderr } = await waymark(importing);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr.split('\n').length).toBe(2);
  });

  test('needs an active plan and an existing file', async () => {
    write('https://example.com/');
    expect(await waymark('code import codes.csv --account expired@example.org')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('plan of this account has expired'),
    });
    expect((await waymark(`code import none.csv --account ${email}`)).stderr).toContain(
      'none.csv cannot be read: no such file',
    );
  });

  test('in a design that no phone can read creates nothing', async () => {
    const owner = 'pale@example.org';
    await onStores(async (stores) => {
      const { accountId } = await addOwner(stores, { email: owner });
      await stores.designs.add(acting(accountId), { ...plainDesign, foreground: '#eeeeee' }, 0);
    });
    write('https://example.com/');
    const { exitCode, stdout, stderr } = await waymark(
      `code import codes.csv --account ${owner} --json`,
    );
    expect([exitCode, JSON.parse(stdout)]).toEqual([1, { ...none, rows: 1, created: 0 }]);
    expect(stderr).toContain('does not produce readable codes');
  });
});
