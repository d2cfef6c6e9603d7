import { type Command, InvalidArgumentError } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import { createAccountDeletion } from '../../core/account-deletion.ts';
import type { ListedAccount } from '../../core/accounts/account.ts';
import { parseEmail } from '../../core/accounts/email.ts';
import type { CodesOfDeleted } from '../../core/accounts/ports.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { textsOf } from '../../languages/texts.ts';
import { codeUseText } from '../../sentences/accounts.ts';
import { addCommand, type CommandDeps, type Outcome } from '../command.ts';
import { erasureSentence } from '../sentences/sentences.ts';
import { findAccount, onAccount } from './find-account.ts';

/** What happens to the codes, as typed. */
type CodesFlag =
  | { readonly kind: 'keep' | 'stop' }
  | { readonly kind: 'give'; readonly email: string };

interface DeleteFlags {
  readonly codes?: CodesFlag;
  readonly yes?: true;
}

const codesHelp =
  '"keep" (they keep redirecting, and belong to nobody), "stop" (they show a page that says so, for good), or ' +
  '"to:EMAIL" (another account gets them)';

/** Adds `waymark account delete`. */
export function addDeleteCommand(account: Command): void {
  addCommand(account, 'delete <email>', 'delete an account; shows what that costs without --yes')
    .option('--codes <what>', `what happens to its codes: ${codesHelp} (default: keep)`, parseCodes)
    .option('--yes', 'delete it; this cannot be undone')
    .action(onAccount(deleteAccount));
}

async function deleteAccount(
  { accounts, qrs, overview, eraseFreeSpace }: CommandDeps,
  account: ListedAccount,
  { codes: flag = { kind: 'keep' }, yes }: DeleteFlags,
): Promise<Outcome> {
  const { email } = account;
  const stores = { accounts, qrs, overview };
  const deletion = createAccountDeletion({ ...stores, clock: realClock, sleep: Bun.sleep });
  const codes: CodesOfDeleted =
    flag.kind === 'give'
      ? {
          kind: 'give',
          to: (await findAccount(accounts, flag.email)).id,
          by: { kind: 'command' },
        }
      : { kind: flag.kind };
  const use = await deletion.useOf(account.id);
  const json = {
    email,
    deleted: yes === true,
    codes: use.codes,
    scans_last_30_days: use.recentScans,
    last_scan: use.lastScanMs === null ? null : isoTimestamp(use.lastScanMs),
  };
  if (yes === undefined)
    return {
      text: `${email}: ${codeUseText(textsOf('en'), use, false, isoTimestamp)}${use.codes === 0 ? '' : ` ${consequences(flag)}`}`,
      json,
      failure: `Nothing was deleted. Add --yes to delete ${email} for good.`,
    };
  await deletion.delete(account, codes, { kind: 'command' });
  return {
    text: `Deleted ${email}.${use.codes === 0 ? '' : ` ${consequences(flag)}`}`,
    json,
    change: { account: email, codes: describe(flag) },
    failure: erasureSentence(await eraseFreeSpace()),
  };
}

/** Returns what happens to the codes, in words. */
function consequences(flag: CodesFlag): string {
  if (flag.kind === 'give') return `Its codes keep redirecting and belong to ${flag.email}.`;
  return flag.kind === 'keep'
    ? 'Its codes keep redirecting and belong to nobody, without names and notes.'
    : 'Its codes lead nowhere any more, for good: people who scan one see a page that says so.';
}

function describe(flag: CodesFlag): string {
  return flag.kind === 'give' ? `to:${flag.email}` : flag.kind;
}

/** Parses the value of `--codes`. @throws InvalidArgumentError */
function parseCodes(text: string): CodesFlag {
  if (text === 'keep' || text === 'stop') return { kind: text };
  const email = text.startsWith('to:') ? parseEmail(text.slice('to:'.length)) : null;
  if (email === null) throw new InvalidArgumentError(`It must be ${codesHelp}.`);
  return { kind: 'give', email };
}
