import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, minKeyCharacters } from '../../config.ts';
import type { SecondFactorStore, SecretBox, StoredSecret } from '../../core/accounts/ports.ts';
import { FileError, withFileErrors } from '../../lib/errors.ts';
import { writeFileAtomically } from '../../lib/files/atomic-write.ts';
import { formatCount, plural } from '../../lib/numbers.ts';
import { isSealed, seal, sealingKey, unseal } from '../../lib/secrets/sealing.ts';
import { realRandomBytes } from '../runtime.ts';

const fileName = 'secret.key';

/** Returns where the key lies that {@link createSecretBox} uses, for messages. */
export function secretKeyPlace({ data, databaseUrl, secretKey }: KeySettings): string {
  return secretKey !== null || databaseUrl !== null ? 'WAYMARK_SECRET_KEY' : join(data, fileName);
}

type KeySettings = Pick<Config, 'data' | 'databaseUrl' | 'secretKey'>;

/** Returns what to say of second factors that cannot be read, and what to do; null if there is none. */
export async function unreadableProblem(
  settings: KeySettings,
  stored: readonly StoredSecret[],
): Promise<{ readonly message: string; readonly advice: string } | null> {
  const box = await createSecretBox(settings);
  const opened = stored.map(({ accountId, secret }) => box.open(accountId, secret));
  const unreadable = (await Promise.all(opened)).filter((secret) => secret === null).length;
  if (unreadable === 0) return null;
  const place = secretKeyPlace(settings);
  return {
    message: `${formatCount(unreadable, 'second factor')} cannot be read, because ${place} is not the key that encrypted ${plural(unreadable, 'it', 'them')}`,
    advice:
      `Put that key into ${place}. If it is lost, reset each of them: waymark account second-factor EMAIL --reset. ` +
      'Recovery codes work meanwhile.',
  };
}

/**
 * Creates what seals the secrets of second factors.
 * The key is that of WAYMARK_SECRET_KEY. Without, SQLite has one in a file of the data folder, which is made when it is
 * first needed and is in no backup; on PostgreSQL secrets stay as they are, since copies share no folder.
 *
 * @throws FileError when there is a file that cannot be read
 */
export async function createSecretBox(settings: KeySettings): Promise<SecretBox> {
  const { data, databaseUrl, secretKey } = settings;
  const file = databaseUrl === null ? join(data, fileName) : null;
  const text = secretKey ?? (file === null ? null : readKey(file));
  let key = text === null ? null : await sealingKey(text);
  const keyForSealing = async (): Promise<CryptoKey | null> => {
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

function readKey(path: string): string | null {
  if (!existsSync(path)) return null;
  const text = withFileErrors(`${path} cannot be read`, () => readFileSync(path, 'utf8')).trim();
  if (text.length >= minKeyCharacters) return text;
  throw new FileError(
    `${path} is not the key that Waymark has written. Put it back from a copy; if there is none, remove the file and ` +
      'reset the second factors: waymark account second-factor EMAIL --reset.',
  );
}
