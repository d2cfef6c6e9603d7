import { readFileSync } from 'node:fs';
import { type Config, ConfigError, options } from '../config.ts';
import { hashPassword, passwordProblem } from '../core/accounts/password/password.ts';
import type { AccountStore } from '../core/accounts/ports.ts';
import { sentenceOf } from '../core/reasons.ts';
import { errnoMessage } from '../lib/errors.ts';
import { accountSentences } from '../sentences/accounts.ts';

/**
 * Creates the first account as the settings name it: an operator whose plan does not expire. The file of its password is
 * read at this start only, and may be removed afterwards.
 *
 * @returns whether the settings name one
 * @throws ConfigError when its password cannot be read or is not accepted
 */
export async function createFirstAccount(
  { firstAccount: email, firstPasswordFile: file, passwords }: Config,
  accounts: Pick<AccountStore, 'create'>,
  nowMs: number,
): Promise<boolean> {
  if (email === null && file === null) return false;
  // Not earlier: after the first start, commands may have one of them.
  if (email === null || (file === null && passwords))
    throw new ConfigError(
      `${options.firstAccount.name} and ${options.firstPasswordFile.name} belong together. Set both, or none.`,
    );
  // Without passwords, the provider or a one-time link signs in.
  const passwordHash =
    passwords && file !== null ? await hashPassword(readPassword(file, email)) : null;
  // Another copy may have created it meanwhile.
  await accounts.create({
    email,
    isOperator: true,
    planUntilMs: null,
    passwordHash,
    by: { kind: 'command' },
    atMs: nowMs,
  });
  return true;
}

const maxBytes = 4096;

function readPassword(file: string, email: string): string {
  const fail = (reason: string) =>
    new ConfigError(`${options.firstPasswordFile.name} is ${JSON.stringify(file)}: ${reason}`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw fail(`it cannot be read: ${errnoMessage(error)}.`);
  }
  if (bytes.length > maxBytes) throw fail('the file is too long for a password.');
  const password = bytes.toString('utf8').replace(/\r?\n$/, '');
  // Nobody could type it in the browser: it is in another encoding, or more than a line.
  if (/[\p{Cc}\ufffd]/u.test(password)) throw fail('the file must have one line of text in UTF-8.');
  const problem = passwordProblem(password, email);
  if (problem !== null) throw fail(sentenceOf(accountSentences, problem));
  return password;
}
