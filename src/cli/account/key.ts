import { type Command, InvalidArgumentError } from 'commander';
import { realClock, realRandomBytes } from '../../compose/runtime.ts';
import { hasActivePlan, type ListedAccount } from '../../core/accounts/account.ts';
import { issueKey, maxOverlapHours } from '../../core/accounts/api-key.ts';
import type { ApiKeyRecord, ListedKey } from '../../core/accounts/ports.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { addCommand, type CommandDeps, commandOn, type Outcome, onStores } from '../command.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';
import { onAccount } from './find-account.ts';

interface GenerateFlags {
  readonly replace?: true;
  readonly overlap?: number;
}

/** Adds `waymark key generate | revoke | list | show`. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('manage API keys, one per account');
  addCommand(key, 'generate <email>', 'generate a key')
    .option(
      '--replace',
      'replace the current key, which stops working at once; not limited to five keys an hour',
    )
    .option(
      '--overlap <hours>',
      `with --replace: the current key works for so long beside the new one, from 1 to ${maxOverlapHours} hours, such as 24h`,
      parseHours,
    )
    .hook('preAction', (command) => {
      const { overlap, replace } = command.opts<GenerateFlags>();
      if (overlap !== undefined && !replace)
        command.error('error: --overlap needs --replace, which names what it is about');
    })
    .action(onAccount(generate));
  addCommand(
    key,
    'revoke <email>',
    'revoke the key, and one that it replaced; they stop working at once',
  )
    .option('--old', 'only the one that was replaced and still works beside it')
    .action(onAccount(revoke));
  addCommand(key, 'list', 'list the keys: last four characters, created, last used').action(
    onStores(listKeys),
  );
  addCommand(key, 'show <email>', 'show the key of an account by its last four characters').action(
    onAccount(showKey),
  );
}

async function listKeys({ keys }: CommandDeps): Promise<Outcome> {
  const all = await keys.list();
  const rows = all.map((key) => [
    key.email,
    `…${key.lastFour}`,
    isoTimestamp(key.createdAtMs),
    lastUseOf(key) ?? 'never',
  ]);
  return {
    text:
      all.length > 0
        ? formatTable([['E-MAIL', 'KEY', 'CREATED', 'LAST USED'], ...rows])
        : 'There is no key yet.',
    json: all.map(toKeyJson),
  };
}

async function showKey({ keys }: CommandDeps, { id, email }: ListedAccount): Promise<Outcome> {
  const key = await keys.findByAccount(id);
  if (key === null)
    throw new CommandError(`${email} has no key. "waymark key generate ${email}" makes one.`);
  const { former } = key;
  const isFormerValid = former !== null && former.untilMs > realClock.nowMs();
  return {
    text: [
      `The key of ${email} ends in ${key.lastFour}.`,
      `Created:    ${isoTimestamp(key.createdAtMs)}`,
      `Last used:  ${lastUseOf(key) ?? 'never'}`,
      isFormerValid &&
        `The replaced key, which ends in ${former.lastFour}, works until ${isoTimestamp(former.untilMs)}.`,
    ],
    json: toKeyJson({ ...key, email }),
  };
}

function toKeyJson(key: ListedKey) {
  return {
    email: key.email,
    last4: key.lastFour,
    created_at: isoTimestamp(key.createdAtMs),
    last_used: lastUseOf(key),
  };
}

function lastUseOf({ lastUsedAtMs }: Pick<ApiKeyRecord, 'lastUsedAtMs'>): string | null {
  return lastUsedAtMs === null ? null : isoTimestamp(lastUsedAtMs);
}

async function generate(
  { keys, config }: CommandDeps,
  account: ListedAccount,
  { replace, overlap = 0 }: GenerateFlags,
): Promise<Outcome> {
  const { id, email } = account;
  if (!hasActivePlan(account, realClock.nowMs()))
    throw new CommandError(
      `The plan of ${email} has expired, and a key needs an active one. Extend it ` +
        `with "waymark account plan ${email} --until DATE".`,
    );
  const current = await keys.findByAccount(id);
  const issued = await issueKey(commandOn(account), {
    keys,
    prefix: config.keyPrefix,
    randomBytes: realRandomBytes,
    nowMs: realClock.nowMs(),
    overlapHours: overlap,
    isLimited: !replace,
    expectedMs: replace ? undefined : null,
  });
  if (issued.outcome === 'outdated') throw new CommandError(replacesText(email, current));
  const { key } = issued;
  const replaced = current === null ? 'no' : 'yes';
  return { text: key, json: { key }, change: { account: email, replaced } };
}

async function revoke(
  { keys }: CommandDeps,
  { id, email }: ListedAccount,
  { old }: { readonly old?: true },
): Promise<Outcome> {
  const json = { email };
  if (old) {
    if (!(await keys.endFormer(commandOn({ id }), realClock.nowMs())))
      throw new CommandError(`${email} has no replaced key that still works.`);
    const text = `Ended the replaced key of ${email}. The new one still works.`;
    return { text, json, change: { account: email, key: 'old' } };
  }
  if (!(await keys.revoke(commandOn({ id }), realClock.nowMs())))
    throw new CommandError(`${email} has no key to revoke.`);
  return { text: `Revoked the key of ${email}.`, json, change: { account: email } };
}

/** Parses a number of hours, with or without the unit. @throws InvalidArgumentError */
function parseHours(text: string): number {
  const hours = Number(/^(\d{1,4}) ?h?$/i.exec(text)?.[1]);
  if (hours >= 1 && hours <= maxOverlapHours) return hours;
  throw new InvalidArgumentError(
    `It must be whole hours from 1 to ${maxOverlapHours}, such as 24h.`,
  );
}

/**
 * Describes what replacing a key breaks.
 *
 * @param current null if the key was generated a moment ago
 */
function replacesText(email: string, current: ApiKeyRecord | null): string {
  const use = current && lastUseOf(current);
  const usedText = use === null ? 'never used' : `last used ${use}`;
  const which = current === null ? '' : `, ending in ${current.lastFour} and ${usedText}`;
  return (
    `${email} has a key already${which}. A new key replaces it: programs that use ` +
    'the old one get 401 until they have the new one. Printed codes are not affected. Add --replace to do it, and --overlap 24h to let the old one work for a day.'
  );
}
