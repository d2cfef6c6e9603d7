import { statSync } from 'node:fs';
import { type Config, ConfigError, options } from '../config.ts';
import {
  hashPassword,
  parsePassword,
  passwordProblem,
} from '../core/accounts/password/password.ts';
import type { AccountStore } from '../core/accounts/ports.ts';
import { sentenceOf } from '../core/reasons.ts';
import { textsOf } from '../languages/texts.ts';
import { FileError } from '../lib/errors.ts';
import { readFileAtMost } from '../lib/files/bounded-read.ts';
import { accountSentences } from '../sentences/accounts.ts';

/**
 * Creates the first account as the settings name it: an operator whose plan does not expire.
 * The file of its password is read at this start only, and may be removed afterwards.
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
    passwords && file !== null ? await hashPassword(await readPassword(file, email)) : null;
  // `taken`: another copy has created it meanwhile.
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

async function readPassword(file: string, email: string): Promise<string> {
  const fail = (reason: string) => new ConfigError(`${options.firstPasswordFile.name}: ${reason}`);
  // Reading a pipe would wait until another program writes into it.
  if (statSync(file, { throwIfNoEntry: false })?.isFIFO())
    throw fail(`${file} is a pipe. Name a file.`);
  const bytes = await readFileAtMost(file, maxBytes).catch((error: unknown) => {
    throw error instanceof FileError ? fail(error.message) : error;
  });
  const password = parsePassword(bytes);
  if (password === null) throw fail(`${file} must have one line of text in UTF-8.`);
  const problem = passwordProblem(password, email);
  if (problem !== null) throw fail(sentenceOf(accountSentences(textsOf('en')), problem));
  return password;
}
