import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, minKeyCharacters } from '../../config.ts';
import type { SecondFactorStore, SecretBox, StoredSecret } from '../../core/accounts/ports.ts';
import { StoreUnavailable } from '../../core/errors.ts';
import { errnoMessage, errnoOf } from '../../lib/errors.ts';
import { writeFileAtomically } from '../../lib/files/atomic-write.ts';
import { formatCount } from '../../lib/numbers.ts';
import { isSealed, seal, sealingKey, unseal } from '../../lib/secrets/sealing.ts';
import { realRandomBytes } from '../runtime.ts';

const fileName = 'secret.key';

/** Returns where the key lies that {@link createSecretBox} uses, for messages. */
export function secretKeyPlace({ data, databaseUrl, secretKey }: KeySettings): string {
  return secretKey !== null || databaseUrl !== null ? 'WAYMARK_SECRET_KEY' : join(data, fileName);
}

type KeySettings = Pick<Config, 'data' | 'databaseUrl' | 'secretKey'>;

/** The key that seals, or why there is none. */
type KeyText =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'missing' }
  /** The file is there, and no key is in it. Nothing may be put in its place. */
  | { readonly kind: 'unusable'; readonly problem: string };

/** What an operator should know about the key, and what to do. */
export interface KeyProblem {
  readonly message: string;
  readonly advice: string;
  /** Whether the file of the key is there and has none, so that no second factor can be turned on. */
  readonly isUnusable: boolean;
}

/** Returns what to say of the key, and of second factors that cannot be read; null if all is well. */
export async function keyProblem(
  settings: KeySettings,
  stored: readonly StoredSecret[],
): Promise<KeyProblem | null> {
  const key = readKey(settings);
  const box = await boxOf(settings, key);
  const opened = stored.map(({ accountId, secret }) => box.open(accountId, secret));
  const unreadable = (await Promise.all(opened)).filter((secret) => secret === null).length;
  const isUnusable = key.kind === 'unusable';
  if (unreadable === 0 && !isUnusable) return null;
  const place = secretKeyPlace(settings);
  const cause = causes[key.kind](place, key.kind === 'unusable' ? key.problem : '');
  return {
    message:
      unreadable === 0
        ? `${cause}, so that no second factor can be turned on`
        : `${formatCount(unreadable, 'second factor')} cannot be read, because ${cause}`,
    advice:
      unreadable === 0
        ? `Put the key back from a copy, or remove ${place}; then restart the server.`
        : `Put the key that encrypted what is stored into ${place}, and restart the server. If it is lost, remove what ` +
          'is there, and reset each of them: waymark account second-factor EMAIL --reset. Recovery codes work meanwhile.',
    isUnusable,
  };
}

/** Why second factors cannot be read, as the end of a sentence. */
const causes: Readonly<Record<KeyText['kind'], (place: string, problem: string) => string>> = {
  key: (place) => `${place} is not the key that encrypted what is stored`,
  missing: (place) =>
    place.startsWith('WAYMARK_') ? `${place} is not set` : `there is no ${place}`,
  unusable: (_, problem) => problem,
};

/**
 * Creates what seals the secrets of second factors.
 * The key is that of WAYMARK_SECRET_KEY. Without, SQLite has one in a file of the data folder, which is made when it is
 * first needed and is in no backup; on PostgreSQL secrets stay as they are, since copies share no folder.
 *
 * A file that has no key is left as it is: what is sealed is unreadable then, and nothing new can be sealed.
 */
export async function createSecretBox(settings: KeySettings): Promise<SecretBox> {
  return boxOf(settings, readKey(settings));
}

async function boxOf({ data, databaseUrl }: KeySettings, found: KeyText): Promise<SecretBox> {
  const file = databaseUrl === null ? join(data, fileName) : null;
  let key = found.kind === 'key' ? await sealingKey(found.text) : null;
  const keyForSealing = async (): Promise<CryptoKey | null> => {
    if (found.kind === 'unusable') throw new StoreUnavailable(found.problem);
    if (key === null && file !== null) {
      const made = realRandomBytes(32).toHex();
      await writeFileAtomically(file, (append) => append(`${made}\n`));
      key = await sealingKey(made);
    }
    return key;
  };
  const placeOf = (accountId: number) => `account ${accountId}`;
  return {
    seal: async (accountId, secret) => {
      const sealing = await keyForSealing();
      return sealing === null ? secret : seal(sealing, secret, placeOf(accountId));
    },
    open: async (accountId, stored) => {
      if (!isSealed(stored)) return stored;
      return key === null ? null : unseal(key, stored, placeOf(accountId));
    },
  };
}

// Those of a part are one commit on SQLite.
const secretsPerPart = 100;

/** Seals the secrets that a server without a key has stored, in parts: a start waits for it once. */
export async function sealAll(
  box: SecretBox,
  stored: readonly StoredSecret[],
  store: Pick<SecondFactorStore, 'replaceSecret'>,
): Promise<void> {
  const unsealed = stored.filter(({ secret }) => !isSealed(secret));
  for (let at = 0; at < unsealed.length; at += secretsPerPart)
    await Promise.all(
      unsealed
        .slice(at, at + secretsPerPart)
        .map(async ({ accountId, secret }) =>
          store.replaceSecret(accountId, secret, await box.seal(accountId, secret)),
        ),
    );
}

// The key has 64 characters.
const maxKeyBytes = 4096;

/** Reads the key. Never throws: redirects, and all but second factors, need none. */
function readKey({ data, databaseUrl, secretKey }: KeySettings): KeyText {
  if (secretKey !== null) return { kind: 'key', text: secretKey };
  if (databaseUrl !== null) return { kind: 'missing' };
  const path = join(data, fileName);
  try {
    // Reading a pipe would wait without end.
    const stats = statSync(path);
    const text = stats.isFile() && stats.size <= maxKeyBytes ? readFileSync(path, 'utf8') : '';
    if (text.trim().length >= minKeyCharacters) return { kind: 'key', text: text.trim() };
    return { kind: 'unusable', problem: `${path} is not the key that Waymark has written` };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && !isLink(path)) return { kind: 'missing' };
    return { kind: 'unusable', problem: `${path} cannot be read: ${errnoMessage(error)}` };
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
