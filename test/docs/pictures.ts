import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { launch, openPage, signInContext } from '../panel/browser.ts';
import { startServer } from '../support/server.ts';

// Takes the README's pictures from the running program: bun test/docs/pictures.ts

const images = join(import.meta.dir, '../../docs/images');
const email = 'you@example.com';

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

const server = await startServer({ WAYMARK_SHORT_URL: 'https://qr.example.com' });
const browser = await launch();
try {
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await server.cli(args);
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  await signInContext(context, server, email, { isOperator: true });
  const logoFile = join(server.folder, 'logo.svg');
  await Bun.write(logoFile, logo);
  const shapes = ['--module-shape', 'rounded', '--finder-shape', 'rounded'];
  const colors = ['--foreground', '#1b3a57', '--finder-color', '#1b3a57'];
  await run('design', 'set', email, '--logo', logoFile, ...shapes, ...colors);
  const named = ['--account', email, '--name', 'Table 7', '--folder', 'Menus', '--json'];
  const { code } = JSON.parse(await run('code', 'create', 'https://example.com/menu', ...named));
  await server.stop();
  addScans(join(server.dataFolder, 'waymark.db'));
  await server.start();

  const api = server.api(await server.generateKey(email));
  await Bun.write(
    join(images, 'code.png'),
    (await api.call(`GET /qrs/${code}.png?size=512`)).bytes,
  );
  const { page } = await openPage(context);
  await page.goto(`${server.origin}/account/codes/${code}`, { waitUntil: 'networkidle' });
  await page.screenshot({ path: join(images, 'panel.png') });
} finally {
  await browser.close();
  await server.close();
}
