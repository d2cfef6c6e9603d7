import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAddress } from '../../../src/cli/doctor/address.ts';
import { clockCheck } from '../../../src/cli/doctor/database.ts';
import { checkSpace } from '../../../src/cli/doctor/folder.ts';

test.each([
  ['https://qr.example.com', 'ok', 'https://qr.example.com'],
  ['https://qr.example.com/q', 'ok', 'https://qr.example.com/q'],
  ['https://xn--mnchen-3ya.example', 'ok', 'https://xn--mnchen-3ya.example'],
  ['http://qr.example.com', 'warning', 'without https'],
  ['https://qr.example.com:8443', 'warning', 'port 8443'],
  ['https://203.0.113.7', 'warning', 'number'],
  ['https://[2001:db8::1]', 'warning', 'number'],
  ['http://localhost:3000', 'warning', 'only this machine'],
  ['http://127.8.9.10', 'warning', 'only this machine'],
  ['http://[::1]:3000', 'warning', 'only this machine'],
  ['http://0.0.0.0:3000', 'warning', 'only this machine'],
  ['https://[::]', 'warning', 'only this machine'],
  ['http://192.168.1.20:3000', 'warning', 'local network'],
  ['http://10.0.0.1', 'warning', 'local network'],
  ['http://172.31.255.255', 'warning', 'local network'],
  ['http://172.32.0.1', 'warning', 'without https'],
  ['http://[fd00::1]', 'warning', 'local network'],
  ['http://printer.local', 'warning', 'local network'],
  ['http://server', 'warning', 'local network'],
])('short links at %s: %s %s', (shortUrl, status, said) => {
  const check = checkAddress({ shortUrl, host: '127.0.0.1' });
  expect(check.status).toBe(status as typeof check.status);
  expect(check.message).toContain(said);
});

test('a clock is judged by what was written before', () => {
  const now = Date.UTC(2026, 10, 21);
  const hour = 3_600_000;
  expect(clockCheck(now, null).status).toBe('ok');
  expect(clockCheck(now, now).status).toBe('ok');
  expect(clockCheck(now, now + hour).status).toBe('ok');
  expect(clockCheck(now, now + hour + 1).status).toBe('warning');
  expect(clockCheck(Date.UTC(1970, 0, 1), null).status).toBe('broken');
});

test('free space is told of the folder that was asked, also before there is a data folder', () => {
  const data = join(tmpdir(), 'no', 'data', 'yet');
  expect(checkSpace(data).message).toEndWith(` are free in ${tmpdir()}`);
});

test.each([
  ['localhost', 'self signed certificate'],
  ['elsewhere.example', 'it is for another name'],
])('a certificate for %s that is not trusted is told of as such: %s', async (hostname, said) => {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-certificate-'));
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const made = Bun.spawnSync(
    ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
      .concat(['-subj', `/CN=${hostname}`, '-addext', `subjectAltName=DNS:${hostname}`])
      .concat(['-days', '2', '-keyout', key, '-out', certificate]),
  );
  expect(made.success).toBe(true);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert: Bun.file(certificate), key: Bun.file(key) },
    fetch: () => Response.json({ status: 'ok' }),
  });
  try {
    const publicUrl = `https://localhost:${server.port}`;
    // A name is held against a certificate that is trusted alone, and whom to trust is read at the start.
    const trusted = hostname === 'localhost' ? {} : { NODE_EXTRA_CA_CERTS: certificate };
    const asked = Bun.spawn([process.execPath, '-e', asking(publicUrl)], {
      stdout: 'pipe',
      env: { ...process.env, ...trusted },
    });
    const { status, message } = JSON.parse(await new Response(asked.stdout).text());
    expect([status, message]).toEqual([
      'warning',
      `the certificate of ${publicUrl} is not trusted here: ${said}`,
    ]);
  } finally {
    await server.stop(true);
    await rm(folder, { recursive: true });
  }
});

/** A program that says what `checkAnswer` finds. */
function asking(publicUrl: string): string {
  const examined = JSON.stringify(require.resolve('../../../src/cli/doctor/address.ts'));
  return `
    const { checkAnswer } = require(${examined});
    console.log(JSON.stringify(await checkAnswer({ publicUrl: ${JSON.stringify(publicUrl)} })));
  `;
}
