import { type Command, InvalidArgumentError } from 'commander';
import { realClock } from '../../compose/runtime.ts';
import type { ListedAccount } from '../../core/accounts/account.ts';
import { createAccountActivity } from '../../core/accounts/activity/account-activity.ts';
import type { ActivityEntry } from '../../core/accounts/activity/ports.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { textsOf } from '../../languages/texts.ts';
import { formatCount } from '../../lib/numbers.ts';
import { activityDetail, activitySentence } from '../../sentences/activity.ts';
import { onAccount } from '../account/find-account.ts';
import { addCommand, type CommandDeps, type Outcome } from '../command.ts';
import { CommandError } from '../errors/command-error.ts';
import { findCode } from './find-code.ts';

/** What is printed at most: a few megabytes. */
const maxEntries = 10_000;
const sinceHelp = 'a day such as 2026-11-01 (UTC), or a time such as 2026-11-01T18:00:00+01:00';

interface ActivityFlags {
  readonly code?: string;
  readonly since?: number;
}

/** Adds `waymark activity`. */
export function addActivityCommand(program: Command): void {
  addCommand(program, 'activity <email>', 'show who did what in an account, newest first')
    .option('--code <code>', 'only what was done to this code')
    .option('--since <date>', `only what was done since then: ${sinceHelp}`, parseSince)
    .action(onAccount(showActivity));
}

async function showActivity(
  deps: CommandDeps,
  { id, email }: ListedAccount,
  { code, since = Number.NEGATIVE_INFINITY }: ActivityFlags,
): Promise<Outcome> {
  const filter = code === undefined ? {} : { qrId: await qrIdOf(deps, id, email, code) };
  const activity = createAccountActivity({ store: deps.activity, clock: realClock });
  const found = await Array.fromAsync(activity.since(id, filter, since, maxEntries + 1));
  const entries = found.slice(0, maxEntries);
  return {
    text: entries.length > 0 ? entries.map(lineOf) : `There is no activity of ${email}.`,
    json: entries.map((entry) => activityJson(entry, { code: entry.code?.code ?? null })),
    warnings: [
      found.length > maxEntries &&
        `only the newest ${formatCount(maxEntries, 'entry', 'entries')} are shown. Give --since or --code.`,
    ],
  };
}

async function qrIdOf(
  deps: CommandDeps,
  accountId: number,
  email: string,
  text: string,
): Promise<number> {
  const { qr } = await findCode(deps, text);
  if (qr.accountId !== accountId)
    throw new CommandError(`${email} has no code ${JSON.stringify(text)}.`);
  return qr.id;
}

function lineOf(entry: ActivityEntry): string {
  const texts = textsOf('en');
  const who =
    entry.by.kind === 'operator' && entry.email !== null
      ? `operator ${entry.email}`
      : actorOf(entry);
  const parts = { who, code: entry.code?.code ?? null, written: String };
  const sentence = activitySentence(entry, parts, texts).join('');
  const detail = activityDetail(entry, texts);
  return `${isoTimestamp(entry.atMs)}  ${sentence}${detail === null ? '' : `: ${detail}`}`;
}

/** Converts an entry for `--json`. What few events have is left out of the others. */
export function activityJson<Object extends { readonly code?: string | null }>(
  entry: Omit<ActivityEntry, 'id' | 'code'>,
  object: Object,
) {
  return {
    at: isoTimestamp(entry.atMs),
    by: actorOf(entry),
    kind: entry.kind,
    ...object,
    before: entry.before,
    after: entry.after,
    ...(entry.subject !== null && { object: entry.subject }),
    ...(entry.count !== null && { count: entry.count }),
  };
}

function actorOf({ by, email }: Pick<ActivityEntry, 'by' | 'email'>): string {
  switch (by.kind) {
    case 'person':
      return email ?? 'a person who left';
    case 'key':
      return `API key …${by.lastFour}`;
    case 'operator':
      return 'operator';
    case 'plan':
      return 'planned change';
    case 'command':
      return 'command line';
  }
}

/** Parses a day or a time. @throws InvalidArgumentError */
function parseSince(text: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const ms = isDay || isTime ? Date.parse(text) : Number.NaN;
  // Date.parse turns 30 February into 2 March.
  const isReal = !isDay || (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text));
  if (Number.isNaN(ms) || !isReal) throw new InvalidArgumentError(`It must be ${sinceHelp}.`);
  return ms;
}
