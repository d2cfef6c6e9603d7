import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { timeZoneOf } from '../../core/accounts/time-zone.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import {
  type ScheduledAction,
  type ScheduledChange,
  scheduledStatus,
} from '../../core/codes/schedule/change.ts';
import { type Period, periods, wallTimeOf } from '../../core/codes/schedule/wall-time.ts';
import { readableUrl } from '../../lib/text/readable-url.ts';
import {
  addCommand,
  type CommandDeps,
  commandOn,
  numberOption,
  type Outcome,
  onStores,
  scheduleOf,
} from '../command.ts';
import { UsageError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';
import { scheduleProblemSentences } from '../sentences/schedule.ts';
import { withCodes } from './command.ts';
import { findChangeable, findCode } from './find-code.ts';

interface PlanFlags {
  readonly at?: string;
  readonly every?: Period;
  readonly until?: string;
  readonly url?: string;
  readonly pause?: true;
  readonly resume?: true;
  readonly list?: true;
  readonly cancel?: number;
}

/** Adds `waymark code plan`. */
export function addPlanCommand(code: Command, startRenderWorker: StartRenderWorker): void {
  addCommand(code, 'plan <code>', 'plan a change of a code, list planned changes, or cancel one')
    .option('--at <time>', "when, in the account's time zone, such as 2026-12-24T18:00")
    .addOption(new Option('--every <period>', 'repeat it (default: once)').choices([...periods]))
    .option('--until <time>', 'go back then: a time of day such as 14:00, or a time as in --at')
    .option('--url <url>', 'the code leads there from then on')
    .option('--pause', 'the code is paused')
    .option('--resume', 'the code redirects again')
    .option('--list', 'list the planned changes of the code')
    .addOption(
      numberOption('--cancel <number>', 'cancel a planned change, by its number in the list', {
        min: 1,
      }),
    )
    .action(
      onStores((deps, text: string, flags: PlanFlags) => {
        const asked = [flags.at, flags.list, flags.cancel].filter((flag) => flag !== undefined);
        if (asked.length !== 1)
          throw new UsageError('Give one of --at TIME, --list and --cancel NUMBER.');
        if (flags.at !== undefined) return plan(deps, startRenderWorker, text, flags, flags.at);
        const { every, until } = flags;
        if (givenActions(flags).length > 0 || every !== undefined || until !== undefined)
          throw new UsageError(
            '--every, --until, --url, --pause and --resume belong to --at TIME.',
          );
        return flags.cancel === undefined ? list(deps, text) : cancel(deps, text, flags.cancel);
      }),
    );
}

/** Returns the actions that the options name. */
function givenActions({ url, pause, resume }: PlanFlags): ScheduledAction[] {
  const given = { destination: url, pause, resume };
  return (['destination', 'pause', 'resume'] as const).filter((name) => given[name] !== undefined);
}

async function plan(
  deps: CommandDeps,
  startRenderWorker: StartRenderWorker,
  text: string,
  flags: PlanFlags,
  at: string,
): Promise<Outcome> {
  const [action, ...others] = givenActions(flags);
  if (action === undefined || others.length > 0)
    throw new UsageError('Give one of --url URL, --pause and --resume.');
  const { account, qr } = await findChangeable(deps, text);
  const { url, until } = flags;
  const request = {
    at,
    every: flags.every ?? null,
    action,
    ...(until !== undefined && { until }),
  };
  const [planned, end] =
    url === undefined
      ? await scheduleOf(deps).add(account, qr, request, null)
      : await withCodes(deps, startRenderWorker, ({ codes }) => {
          const checkDestination = () => codes.qrs.checkDestination(url);
          return codes.schedule.add(account, qr, { ...request, checkDestination }, null);
        });
  if (planned === undefined) throw new Error('nothing was planned');
  const zone = timeZoneOf(account);
  return {
    text: [planned, ...(end ? [end] : [])].map((one) => textOf(one, zone)).join('\n'),
    json: { ...jsonOf(planned, zone), ...(end && { until: jsonOf(end, zone) }) },
    change: {
      code: qr.code,
      planned: end ? `${planned.id} ${end.id}` : String(planned.id),
    },
  };
}

async function list(deps: CommandDeps, text: string): Promise<Outcome> {
  const { account, qr } = await findCode(deps, text);
  const zone = timeZoneOf(account);
  const planned = await deps.schedule.list(account.id, qr.id);
  return {
    text: planned.length === 0 ? `Nothing is planned for ${qr.code}.` : tableOf(planned, zone),
    json: planned.map((change) => jsonOf(change, zone)),
  };
}

async function cancel(deps: CommandDeps, text: string, id: number): Promise<Outcome> {
  const { account, qr } = await findCode(deps, text);
  await scheduleOf(deps).cancel(commandOn(account), qr.id, id);
  return {
    text: `Cancelled planned change ${id} of ${qr.code}.`,
    json: { id, code: qr.code, cancelled: true },
    change: { code: qr.code, cancelled: String(id) },
  };
}

/** Converts a planned change for `--json`. */
function jsonOf(change: ScheduledChange, zone: string): Readonly<Record<string, unknown>> {
  const { id, firstLocal, nextMs, every, destination, scheduledBy, problem } = change;
  return {
    id,
    at: firstLocal,
    zone,
    next: nextMs === null ? null : isoTimestamp(nextMs),
    every,
    url: destination,
    status: scheduledStatus(change.action),
    by: scheduledBy,
    problem: problem && scheduleProblemSentences[problem],
  };
}

function textOf(change: ScheduledChange, zone: string): string {
  return [String(change.id), timeText(change, zone), repeatText(change), actionText(change)]
    .filter(Boolean)
    .join('  ');
}

function tableOf(planned: readonly ScheduledChange[], zone: string): string {
  return formatTable([
    ['NUMBER', `NEXT (${zone})`, 'REPEATS', 'CHANGE', 'PROBLEM'],
    ...planned.map((change) => [
      String(change.id),
      change.nextMs === null ? 'over' : minuteOf(wallTimeOf(change.nextMs, zone)),
      repeatText(change) || 'once',
      actionText(change),
      change.problem === null ? '' : scheduleProblemSentences[change.problem],
    ]),
  ]);
}

function timeText({ nextMs }: ScheduledChange, zone: string): string {
  if (nextMs === null) return 'over';
  const utc = zone === 'UTC' ? '' : ` (${minuteOf(isoTimestamp(nextMs).slice(0, 16))} UTC)`;
  return `${minuteOf(wallTimeOf(nextMs, zone))} ${zone}${utc}`;
}

const minuteOf = (wallTime: string): string => wallTime.replace('T', ' ');

function repeatText({ every }: ScheduledChange): string {
  return every === null ? '' : `every ${every}`;
}

function actionText({ action, destination }: ScheduledChange): string {
  return destination === null ? action : `→ ${readableUrl(destination)}`;
}
