import { Database } from 'bun:sqlite';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { launch, openPage } from '../panel/browser.ts';
import { programCommand, programEnv, runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

// Takes the README's pictures from the running program: bun test/docs/pictures.ts

const images = join(import.meta.dir, '../../docs/images');
const cwd = await mkdtemp(join(tmpdir(), 'waymark-pictures-'));
const port = 39_417;
const url = `http://127.0.0.1:${port}`;
const env = {
  WAYMARK_DATA: join(cwd, 'data'),
  WAYMARK_PORT: String(port),
  WAYMARK_PUBLIC_URL: url,
  WAYMARK_SHORT_URL: 'https://qr.example.com',
};
const [email, password] = ['you@example.com', 'a password for pictures'];

/** A cup, drawn in one colour, as a stand-in for a company's logo. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">
  <g fill="none" stroke="#c8442f" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">
    <path d="M8 18h26v14a9 9 0 0 1-9 9h-8a9 9 0 0 1-9-9z" fill="#c8442f"/>
    <path d="M34 21h3a5 5 0 0 1 0 12h-4"/><path d="M15 5v6M21 5v6M27 5v6"/>
  </g>
</svg>`;

/** Adds scans of 60 days to the only code: more in the evening and at weekends. */
function addScans(file: string): void {
  const database = new Database(file);
  const [hourMs, nowMs] = [3_600_000, Date.now()];
  let [total, lastMs] = [0, 0];
  for (let hours = 60 * 24; hours > 0; hours--) {
    const atMs = nowMs - hours * hourMs;
    const at = new Date(atMs);
    const isEvening = at.getUTCHours() > 10 && at.getUTCHours() < 22;
    const scans = isEvening ? 3 + (at.getUTCDate() % 3) + (at.getUTCDay() % 6 === 0 ? 4 : 0) : 0;
    if (scans === 0) continue;
    const hour = Math.floor(atMs / hourMs) * hourMs;
    database.run('INSERT INTO hourly_scans VALUES (1, ?, ?)', [hour, scans]);
    [total, lastMs] = [total + scans, atMs];
  }
  database.run(
    'INSERT OR REPLACE INTO scan_counters (qr_id, scans, last_scan, account_id) VALUES (1, ?, ?, 1)',
    [total, lastMs],
  );
  database.close();
}

/** Runs a command and returns what it printed. @throws Error when it fails */
async function run(args: readonly string[], stdin = ''): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(args, { cwd, env, stdin });
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}

let server: Subprocess | undefined;
try {
  await run(['account', 'create', email, '--operator', '--password-stdin'], password);
  const key = JSON.parse(await run(['key', 'generate', email, '--json'])).key;
  await Bun.write(join(cwd, 'logo.svg'), logo);
  const shapes = ['--module-shape', 'rounded', '--finder-shape', 'rounded'];
  const colors = ['--foreground', '#1b3a57', '--finder-color', '#1b3a57'];
  await run(['design', 'set', email, '--logo', join(cwd, 'logo.svg'), ...shapes, ...colors]);

  const named = ['--account', email, '--name', 'Table 7', '--folder', 'Menus', '--json'];
  const made = await run(['code', 'create', 'https://example.com/menu', ...named]);
  const { code } = JSON.parse(made);
  addScans(join(cwd, 'data', 'waymark.db'));

  server = Bun.spawn([...programCommand(), 'serve'], {
    cwd,
    env: programEnv(env),
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await until(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok === true);
  const headers = { authorization: `Bearer ${key}` };
  const image = await fetch(`${url}/api/v1/qrs/${code}.png?size=512`, { headers });
  await Bun.write(join(images, 'code.png'), await image.bytes());

  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const { page } = await openPage(context);
  await page.goto(`${url}/account`);
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', password);
  await page.press('input[name=password]', 'Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(`${url}/account/codes/${code}`, { waitUntil: 'networkidle' });
  await page.screenshot({ path: join(images, 'panel.png') });
  await browser.close();
} finally {
  server?.kill();
  await server?.exited;
  await rm(cwd, { recursive: true });
}
