import { type Command, Option } from 'commander';
import { realClock, type StartRenderWorker } from '../../compose/runtime.ts';
import { requireActivePlan } from '../../core/accounts/account.ts';
import { storedForms } from '../../core/codes/code.ts';
import { labelFields, labelNames, type QrLabels } from '../../core/codes/fields.ts';
import { type CodeFilter, type CodeSort, codeSorts } from '../../core/codes/ports.ts';
import { type Qr, type QrStatus, qrStatuses } from '../../core/codes/qr.ts';
import type { Qrs } from '../../core/codes/qrs.ts';
import { createSavedDesigns } from '../../core/designs/saved-designs.ts';
import { formatCount } from '../../lib/numbers.ts';
import { findAccount, findOwner } from '../account/find-account.ts';
import {
  type CommandDeps,
  type CommonFlags,
  numberOption,
  type Outcome,
  run,
  subcommand,
  withAddressWarning,
} from '../command.ts';
import { CommandError, exitCodes } from '../errors.ts';
import { type CodeDeps, runWithChecks } from './command.ts';
import { downloadCommand } from './download.ts';
import { listsOf } from './folder.ts';
import { codeJson, codeLine, codeText } from './format.ts';
import { importCommand } from './import.ts';
import { searchHelp } from './print-runs.ts';
import { sheetCommand } from './sheet.ts';

/** The options of labels, as typed. */
type LabelFlags = { readonly [Name in keyof QrLabels]?: string };

interface CreateFlags extends CommonFlags, LabelFlags {
  readonly account: string;
  readonly design?: string;
}

interface ListFlags extends CommonFlags {
  readonly account: string;
  readonly search: string;
  readonly folder?: string;
  readonly status?: QrStatus;
  readonly design?: string;
  readonly neverScanned?: true;
  readonly archived?: true;
  readonly sort: CodeSort;
  readonly limit: number;
  readonly offset: number;
}

interface SetFlags extends CommonFlags, LabelFlags {
  readonly url?: string;
}

// A thousand records are a few hundred kilobytes of JSON.
const limits = { min: 1, max: 10_000 };
const offsets = { min: 0, max: 1_000_000_000 };

/** Adds `waymark code …`. */
export function addCodeCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const code = program.command('code').description('create, edit and print codes');
  for (const command of manageCommands(startRenderWorker)) code.addCommand(command);
  code
    .addCommand(importCommand(startRenderWorker))
    .addCommand(sheetCommand(startRenderWorker))
    .addCommand(downloadCommand(startRenderWorker));
}

/** Creates `waymark code create | list | show | set | pause | resume | archive | unarchive`. */
function manageCommands(startRenderWorker: StartRenderWorker): Command[] {
  const set = subcommand('set <code>', 'change the destination or labels of a code').option(
    '--url <url>',
    'new destination; the printed code stays the same',
  );
  const create = subcommand('create <url>', 'create a code').requiredOption(
    '--account <email>',
    'account of the code',
  );
  for (const name of labelNames) {
    set.option(`--${name} <text>`, `new ${name}; "" removes it`);
    create.option(`--${name} <text>`, `${name} of the code`);
  }
  return [
    create
      .option('--design <name>', 'saved design (default: the default design of the account)')
      .action((url: string, flags: CreateFlags) =>
        runWithChecks(flags, startRenderWorker, async (deps, config) =>
          withAddressWarning(config, await createCode(deps, url, flags)),
        ),
      ),
    subcommand('list', 'list the codes of an account')
      .requiredOption(
        '--account <email>',
        'account of the codes; "nobody" for those of deleted accounts',
      )
      .option('--search <text>', searchHelp, '')
      .option('--folder <folder>', 'only codes in a folder')
      .addOption(new Option('--status <status>', 'only codes of a status').choices(qrStatuses))
      .option('--design <name>', 'only codes of a saved design')
      .option('--never-scanned', 'only codes without scans')
      .option('--archived', 'only archived codes, which are left out otherwise')
      .addOption(
        new Option(
          '--sort <order>',
          'order: newest first, names as people count, most or latest scans',
        )
          .choices(codeSorts)
          .default('newest'),
      )
      .addOption(numberOption('--limit <number>', 'number of codes to print', limits).default(1000))
      .addOption(numberOption('--offset <number>', 'number of codes to skip', offsets).default(0))
      .action((flags: ListFlags) => run(flags, (deps) => list(deps, flags))),
    subcommand('show <code>', 'show a code').action((text: string, flags: CommonFlags) =>
      run(flags, async (deps) => outcomeOf((await findCode(deps, text)).qr)),
    ),
    set.action((text: string, flags: SetFlags) => {
      if ((['url', ...labelNames] as const).every((name) => flags[name] === undefined))
        set.error(
          `error: name what to change: --url, ${labelNames.map((name) => `--${name}`).join(', ')}`,
          { exitCode: exitCodes.misused },
        );
      return flags.url === undefined
        ? run(flags, (stores) => change(stores, text, flags))
        : runWithChecks(flags, startRenderWorker, (deps) =>
            change(deps, text, flags, deps.codes.qrs),
          );
    }),
    statusCommand('pause', 'show a "paused" page instead of redirecting'),
    statusCommand('resume', 'redirect again after a pause'),
    archiveCommand('archive', 'leave codes out of lists; they still redirect'),
    archiveCommand('unarchive', 'show archived codes in lists again'),
  ];
}

async function createCode(
  { accounts, codes }: CodeDeps,
  url: string,
  flags: CreateFlags,
): Promise<Outcome> {
  const account = await findAccount(accounts, flags.account);
  requireActivePlan(account, Date.now());
  const { qr } = await codes.qrs.create(account.id, url, null, {
    ...parseLabels(flags),
    ...(flags.design !== undefined && {
      designId: (await codes.savedDesigns.find(account.id, flags.design)).designId,
    }),
  });
  return changedTo(qr);
}

async function list(deps: CommandDeps, flags: ListFlags): Promise<Outcome> {
  const { search: text, limit, offset, sort, folder, status, design } = flags;
  const { id } = await findOwner(deps.accounts, flags.account);
  const savedDesigns = createSavedDesigns({ ...deps, store: deps.savedDesigns, clock: realClock });
  const saved = design === undefined ? null : await savedDesigns.find(id, design);
  const filter: CodeFilter = {
    ...(folder !== undefined && { folder }),
    ...(status !== undefined && { status }),
    ...(saved !== null && { designId: saved.designId }),
    ...(flags.neverScanned && { isNeverScanned: true }),
    ...(flags.archived && { isArchived: true }),
  };
  const page = await listsOf(deps).page(id, {
    ...{ text, filter, sort, limit, offset },
    needsTotal: true,
  });
  const total = page.total ?? 0;
  const rest = total - offset - page.qrs.length;
  const lines = page.qrs.map(codeLine);
  if (rest > 0) lines.push(`… and ${rest} more. Use --limit and --offset.`);
  return {
    text: lines.join('\n') || noneText(total, text, filter),
    json: { data: page.qrs.map(codeJson), total },
  };
}

/** Says why a list has no code. */
function noneText(total: number, text: string, filter: CodeFilter): string {
  if (total > 0)
    return `There are no more than ${formatCount(total, 'code')}. Use a smaller --offset.`;
  if (text !== '') return 'No code contains this text.';
  return Object.keys(filter).length > 0 ? 'There is no such code.' : 'There is no code yet.';
}

async function change(
  stores: CommandDeps,
  text: string,
  { url, ...flags }: SetFlags,
  checked?: Pick<Qrs, 'changeDestination'>,
): Promise<Outcome> {
  const { account, qr } = await findChangeable(stores, text);
  const labels = parseLabels(flags);
  if (checked !== undefined) {
    requireActivePlan(account, Date.now());
    await checked.changeDestination(account.id, qr.code, async () => url);
  }
  return changedTo((await stores.qrs.changeLabels(account.id, qr.code, labels)) ?? qr);
}

/** Parses the labels that are given. @throws InvalidLabel */
function parseLabels(flags: LabelFlags): Partial<QrLabels> {
  const given = labelNames.flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [[name, labelFields[name].parse(text)] as const];
  });
  return Object.fromEntries(given);
}

function statusCommand(verb: 'pause' | 'resume', description: string): Command {
  const [from, to] =
    verb === 'pause' ? (['active', 'paused'] as const) : (['paused', 'active'] as const);
  return subcommand(`${verb} <code>`, description).action((text: string, flags: CommonFlags) =>
    run(flags, async (stores) => {
      const { account, qr } = await findChangeable(stores, text);
      const changed = (await stores.qrs.changeStatus(account.id, qr.code, from, to)) ?? qr;
      if (changed.status === 'blocked')
        throw new CommandError(
          `${qr.code} is blocked. "waymark safety unblock-code ${qr.code}" lifts the block.`,
        );
      return changedTo(changed);
    }),
  );
}

/** Creates `waymark code archive` or `unarchive`. All codes are found before any is changed. */
function archiveCommand(verb: 'archive' | 'unarchive', description: string): Command {
  return subcommand(`${verb} <codes...>`, description).action(
    (texts: readonly string[], flags: CommonFlags) =>
      run(flags, async (stores) => {
        const found = [];
        for (const text of texts) found.push(await findCode(stores, text));
        const changed: Qr[] = [];
        for (const { account, qr } of found) {
          const set = { isArchived: verb === 'archive' };
          changed.push((await stores.qrs.changeLabels(account.id, qr.code, set)) ?? qr);
        }
        const [only, ...others] = changed;
        if (only !== undefined && others.length === 0) return changedTo(only);
        return {
          text: changed.map(codeLine).join('\n'),
          json: { data: changed.map(codeJson) },
          change: { codes: String(changed.length) },
        };
      }),
  );
}

/** Finds a code of any account. @throws CommandError when there is none */
async function findCode({ accounts, flags, qrs }: CommandDeps, text: string) {
  const found = await Promise.all(storedForms(text).map(flags.find));
  const owner = found.find((code) => code !== null) ?? null;
  const account = owner && (await accounts.findByEmail(owner.owner));
  const qr = account && owner && (await qrs.find(account.id, owner.code));
  if (account === null || qr === null)
    throw new CommandError(`There is no code ${JSON.stringify(text)}.`);
  return { account, qr };
}

/** Finds a code, as {@link findCode} does. @throws CommandError when it can't be changed any more */
async function findChangeable(stores: CommandDeps, text: string) {
  const found = await findCode(stores, text);
  if (found.qr.status === 'stopped')
    throw new CommandError(`${found.qr.code} was stopped for good when its account was deleted.`);
  return found;
}

function outcomeOf(qr: Qr): Outcome {
  return { text: codeText(qr), json: codeJson(qr) };
}

/** Returns the outcome of a command that changed a code. */
function changedTo(qr: Qr): Outcome {
  return { ...outcomeOf(qr), change: { code: qr.code } };
}
