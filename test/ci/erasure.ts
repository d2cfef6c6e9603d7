import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { password, signedIn } from '../panel/client.ts';
import { acting, addOwner, command, newInvitation, newQr, noon } from '../stores/rows.ts';
import { usesPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const codes = 300;
const server = await startServer();

/** Adds an account whose codes have texts that are found in a file, and moves them from page to page. */
async function addTexts(email: string, marker: string): Promise<void> {
  await server.onStores(async (stores) => {
    const found = await stores.accounts.findByEmail(email);
    const owner =
      found === null
        ? await addOwner(stores, { email })
        : { accountId: found.id, designId: (await stores.designs.findDefault(found.id)).id };
    // Another account names the person.
    const other = acting((await addOwner(stores)).accountId);
    await stores.people.invite(other, newInvitation(email));
    const text = (at: number, length: number) => `${marker}${at} ${'x'.repeat(length)}`;
    const added: string[] = [];
    for (let at = 0; at < codes; at++) {
      const labels = { name: text(at, at % 70), note: text(at, (at * 7) % 900), folder: marker };
      const qr = newQr(owner, { ...labels, destination: `https://example.com/${marker}/${at}` });
      await stores.qrs.insert(qr, null, command);
      added.push(qr.code);
    }
    for (const [at, code] of added.entries())
      await stores.qrs.changeLabels(
        acting(owner.accountId),
        code,
        { name: text(at, (at * 13) % 90) },
        noon,
      );
    const [code = ''] = added;
    await stores.qrs.changeDestination(acting(owner.accountId), code, 'https://example.com/', 1);
  });
}

/** Returns the files of the data folder that have a text, in any case. */
const filesWith = (text: string) =>
  readdirSync(server.dataFolder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(server.dataFolder, name))
    .filter((path) => statSync(path).isFile())
    .filter((path) => readFileSync(path).toString('latin1').toLowerCase().includes(text));

/** Makes an account with codes, which its holder deletes. */
async function deleteInPanel(marker: string): Promise<void> {
  const email = `${marker}@example.org`;
  const holder = await signedIn(server, email);
  await addTexts(email, marker);
  const form = { csrf: await holder.csrf(), codes: 'stop', email, password };
  expect((await holder.post('/account/settings/delete', form)).status).toBeLessThan(400);
  // On a busy machine the page answers before.
  await until(() =>
    server.onStores(async ({ accounts }) => (await accounts.findByEmail(email)) === null),
  );
}

// PostgreSQL keeps its files itself. docs/privacy.md says how long.
test.skipIf(usesPostgres)(
  'what a deleted account had is gone from every file when the command ends, or after a VACUUM',
  async () => {
    const other = await server.account();
    await other.api.create();
    for (const [way, marker] of [
      ['keep', 'erasedmarkerone'],
      ['stop', 'erasedmarkertwo'],
    ] as const) {
      const email = `${marker}@example.org`;
      await addTexts(email, marker);
      expect(filesWith(marker)).not.toEqual([]);
      const line = ['account', 'delete', email, '--codes', way, '--yes'];
      expect(await server.cli(line)).toMatchObject({ exitCode: 0 });
      // The codes that redirect on keep their destinations.
      if (way === 'stop') expect(filesWith(marker)).toEqual([]);
      else for (const text of [`${marker}1 `, email]) expect(filesWith(text)).toEqual([]);
    }

    // A server that deletes writes nothing anew. Its next backup is new.
    await deleteInPanel('erasedmarkerthree');
    const backup = join(server.folder, 'b.db');
    expect(await server.cli(['backup', backup])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(backup).toString('latin1')).not.toContain('erasedmarkerthree');
    await server.stop();
    // As docs/privacy.md says.
    const database = new Database(join(server.dataFolder, 'waymark.db'));
    database.run('VACUUM');
    database.close();
    expect(filesWith('erasedmarkerthree')).toEqual([]);
    await server.close();
  },
);
