import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ods, xlsx } from '../support/spreadsheets.ts';
import { createCommands } from './folder.ts';

const { folder, waymark: command, json: jsonOf } = createCommands();
const env = { WAYMARK_PUBLIC_URL: 'https://qr.example.com' };
const waymark = (line: string, stdin?: string) => command(line, { env, ...(stdin && { stdin }) });
const json = (line: string) => jsonOf(line, { env });
const email = 'a@example.org';

interface CodeRecord {
  readonly code: string;
  readonly destination: string;
  readonly name: string | null;
}
interface CodeList {
  readonly data: CodeRecord[];
  readonly total: number;
}

/** Creates a code and returns its record. Arguments are separated by spaces. */
const create = async (line: string): Promise<CodeRecord> =>
  (await json(`code create ${line} --account ${email}`)) as CodeRecord; // the command prints one
const list = async (line = ''): Promise<CodeList> =>
  (await json(`code list --account ${email}${line}`)) as CodeList; // as above

beforeAll(async () => {
  await json(`account create ${email}`);
  await json('account create expired@example.org --plan-until 2020-01-01');
});

describe('a single code', () => {
  test('is created, shown, changed, paused and resumed', async () => {
    const created = await create('https://example.com/menu --name Tisch_7');
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
    expect(await json(`code pause ${code}`)).toEqual({ ...changed, status: 'paused' });
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

  test.each([
    ['code create http:/x --account a@example.org', 2, 'must begin with http'],
    [
      'code create https://example.com/ --account expired@example.org',
      1,
      'plan of this account has expired',
    ],
    ['code create https://example.com/ --account nobody@example.org', 1, 'no account'],
    [
      'code create https://example.com/ --account a@example.org --design Nope',
      1,
      'no saved design named "Nope"',
    ],
    ['code create https://qr.example.com/7h3k9m2x --account a@example.org', 2, 'loop'],
    [
      `code create https://example.com/ --account a@example.org --name ${'x'.repeat(121)}`,
      2,
      'too long',
    ],
    ['code create https://example.com/', 2, '--account'],
    ['code show 00000000', 1, 'There is no code "00000000"'],
    ['code set 00000000', 2, '--url, --name, --note, --folder'],
    ['code list --account a@example.org --limit 0', 2, 'from 1 to'],
    ['code list --account a@example.org --design Nope', 1, 'no saved design named "Nope"'],
    [
      `link import links.csv --account a@example.org --folder ${'x'.repeat(121)}`,
      2,
      'The folder is too long',
    ],
  ])('%s is refused', async (line, exitCode, message) => {
    expect(await waymark(line)).toMatchObject({
      exitCode,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  test('is not created at a prefix that the server lacks', async () => {
    const { code } = await create('https://example.com/prefix');
    const other = { WAYMARK_PUBLIC_URL: 'https://other.example' };
    const line = `code create https://example.com/ --account ${email}`;
    const { exitCode, stderr } = await command(line, { env: other });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('https://qr.example.com')]);
    // What needs no short link works with any settings.
    expect(await command(`code pause ${code}`, { env: other })).toMatchObject({ exitCode: 0 });
  });
});

describe('a list', () => {
  test('has a page of the codes, and of those that match a search', async () => {
    const owner = 'lists@example.org';
    await json(`account create ${owner}`);
    const rows = Array.from({ length: 7 }, (_, at) => `Größe ${at},https://example.com/${at},`);
    writeFileSync(join(folder, 'seven.csv'), ['name,url,note', ...rows].join('\n'));
    await json(`code import seven.csv --account ${owner}`);
    const page = async (line: string) =>
      (await json(`code list --account ${owner} ${line}`)) as CodeList; // the command prints one
    const all = await page('--limit 100');
    expect(all.total).toBe(7);
    expect(all.data.map(({ name }) => name).sort()).toEqual(
      rows.map((row) => row.split(',')[0] ?? ''),
    );
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
    expect(await page('--search nothing')).toEqual({ data: [], total: 0 });
    expect((await waymark(`code list --account ${owner} --limit 2`)).stdout).toContain(
      'and 5 more',
    );
  });
});

describe('an import', () => {
  const write = (text: string | Uint8Array) => writeFileSync(join(folder, 'codes.csv'), text);
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

  test('with a bad row creates nothing, and says which rows and why', async () => {
    write(bad);
    const before = (await list()).total;
    const { exitCode, stdout, stderr } = await waymark(`${importing} --json`);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ ...report, created: 0 });
    expect(stderr).toContain('3 of 5 rows have a problem. Nothing was created.');
    expect((await list()).total).toBe(before);
  });

  test('of the good rows creates these', async () => {
    write(bad);
    const before = (await list()).total;
    expect(await json(`${importing} --only-good --dry-run`)).toEqual({
      ...report,
      created: 0,
    });
    expect(await json(`${importing} --only-good`)).toEqual({ ...report, created: 2 });
    expect((await list()).total).toBe(before + 2);
    const [good] = (await list(' --search example.com/good')).data;
    expect(good).toMatchObject({ name: 'Good', destination: 'https://example.com/good' });
    expect((await waymark(`code show ${good?.code}`)).stdout).toContain('Note:        =1+1\n');
  });

  test('writes the refused rows to a file, which can be corrected and imported', async () => {
    const long = 'n'.repeat(121);
    write(
      `id;Ziel;Bezeichnung;Notiz\n1;example.com/refused;${long};"=1\n2"\n2;https://example.com/fine;Fine;\n`,
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
    expect((await list(' --search example.com/refused')).data).toMatchObject([
      { name: 'Refused', destination: 'https://example.com/refused' },
    ]);
  });

  test('of a finished file leaves out the codes that exist, unless --again', async () => {
    write('name,url\nOnce,https://example.com/once\nTwice,https://example.com/twice\n');
    expect(await json(importing)).toMatchObject({ rows: 2, created: 2, existing: 0 });
    expect(await json(importing)).toEqual({ ...none, rows: 2, created: 0, existing: 2 });
    expect((await waymark(`${importing} --dry-run`)).stdout).toContain(
      '2 rows have the name and destination of existing codes and are left out. --again creates them.',
    );
    write(
      'name,url\nOnce,https://example.com/once\nTwice,https://example.com/other\nNew,https://example.com/once\n',
    );
    expect(await json(importing)).toEqual({ ...none, rows: 3, created: 2, existing: 1 });
    expect(await json(`${importing} --again`)).toEqual({ ...none, rows: 3, created: 3 });
    expect((await list(' --search example.com/once')).total).toBe(4);
  });

  test('reads a sheet of a spreadsheet', async () => {
    const sheets = [
      {
        name: 'Tables',
        rows: [
          ['Name', 'URL'],
          ['S1', 'example.com/s1'],
        ],
      },
      {
        name: 'More',
        rows: [
          ['Name', 'URL'],
          ['S2', 'https://example.com/s2'],
        ],
      },
    ];
    for (const [file, bytes] of [
      ['sheets.xlsx', xlsx(sheets)],
      ['sheets.ods', ods(sheets)],
    ] as const) {
      writeFileSync(join(folder, file), bytes);
      const command = `code import ${file} --account ${email}`;
      const { stdout } = await waymark(`${command} --again`);
      expect(stdout).toContain('The sheet "Tables" was read; 1 other sheet is not.');
      expect(await json(`${command} --again --sheet more`)).toMatchObject({ created: 1 });
      expect((await waymark(`${command} --sheet Else`)).stderr).toContain(
        'The spreadsheet has no sheet "Else". It has "Tables", "More".',
      );
    }
    expect((await list(' --search example.com/s')).total).toBe(4);
    write('https://example.com/');
    expect((await waymark(`${importing} --sheet Tables`)).stderr).toContain('has no sheets');
  });

  test('reads standard input, and trims invisible characters that a spreadsheet left', async () => {
    const { stdout } = await waymark(
      `code import - --account ${email} --json`,
      '\u200bName;URL\n\u200eMenu\u00a0;\u200bhttps://example.com/invisible\u2060\n',
    );
    expect(JSON.parse(stdout)).toEqual({ ...none, rows: 1, created: 1 });
    const { data } = await list(' --search example.com/invisible');
    expect(data).toMatchObject([{ name: 'Menu', destination: 'https://example.com/invisible' }]);
  });

  test.each([
    ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'is a picture'],
    ['50 MB', 'x'.repeat(50_000_000), 'longer than 10 MB'],
    ['100,000 columns', ','.repeat(99_999), 'more than 100 columns'],
    ['a row of 1 MB', `a,https://example.com/${'x'.repeat(1_000_000)}`, 'Every row has a problem'],
    [
      'Cyrillic in Windows-1251',
      Buffer.from('\xd1\xf2\xee\xeb\n\xce\xea\xed\xee', 'latin1'),
      'none of the encodings',
    ],
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
    await json(`account create ${owner}`);
    await json(`design set ${owner} --foreground #eeeeee`);
    write('https://example.com/');
    const { exitCode, stdout, stderr } = await waymark(
      `code import codes.csv --account ${owner} --json`,
    );
    expect([exitCode, JSON.parse(stdout)]).toEqual([1, { ...none, rows: 1, created: 0 }]);
    expect(stderr).toContain('does not produce readable codes');
  });
});
