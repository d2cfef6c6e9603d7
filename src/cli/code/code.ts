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
import { findActiveAccount, findOwner } from '../account/find-account.ts';
import {
  addCommand,
  type CommandDeps,
  numberOption,
  type Outcome,
  onStores,
  withAddressWarning,
} from '../command.ts';
import { CommandError } from '../errors.ts';
import { type CodeDeps, onCodes, withCodes } from './command.ts';
import { addDownloadCommand } from './download.ts';
import { listsOf } from './folder.ts';
import { codeJson, codeLine, codeText } from './format.ts';
import { addImportCommand } from './import.ts';
import { searchHelp } from './print-runs.ts';
import { addSheetCommand } from './sheet.ts';

/** The options of labels, as typed. */
type LabelFlags = { readonly [Name in keyof QrLabels]?: string };

interface CreateFlags extends LabelFlags {
  readonly account: string;
  readonly design?: string;
}

interface ListFlags {
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

interface SetFlags extends LabelFlags {
  readonly url?: string;
}

// A thousand records are a few hundred kilobytes of JSON.
const limits = { min: 1, max: 10_000 };
const offsets = { min: 0, max: 1_000_000_000 };

/** Adds `waymark code …`. */
export function addCodeCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const code = program.command('code').description('create, edit and print codes');
  addCreateCommand(code, startRenderWorker);
  addListCommand(code);
  addCommand(code, 'show <code>', 'show a code').action(
    onStores(async (deps, text: string) => outcomeOf((await findCode(deps, text)).qr)),
  );
  addSetCommand(code, startRenderWorker);
  addCommand(code, 'pause <code>', 'show a "paused" page instead of redirecting').action(
    changeStatus('active', 'paused'),
  );
  addCommand(code, 'resume <code>', 'redirect again after a pause').action(
    changeStatus('paused', 'active'),
  );
  addCommand(code, 'archive <codes...>', 'leave codes out of lists; they still redirect').action(
    archive(true),
  );
  addCommand(code, 'unarchive <codes...>', 'show archived codes in lists again').action(
    archive(false),
  );
  addImportCommand(code, startRenderWorker);
  addSheetCommand(code, startRenderWorker);
  addDownloadCommand(code, startRenderWorker);
}

function addCreateCommand(code: Command, startRenderWorker: StartRenderWorker): void {
  const create = addCommand(code, 'create <url>', 'create a code').requiredOption(
    '--account <email>',
    'account of the code',
  );
  for (const name of labelNames) create.option(`--${name} <text>`, `${name} of the code`);
  create
    .option('--design <name>', 'saved design (default: the default design of the account)')
    .action(onCodes(startRenderWorker, createCode));
}

function addListCommand(code: Command): void {
  addCommand(code, 'list', 'list the codes of an account')
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
    .action(onStores(list));
}

function addSetCommand(code: Command, startRenderWorker: StartRenderWorker): void {
  const set = addCommand(code, 'set <code>', 'change the destination or labels of a code').option(
    '--url <url>',
    'new destination; the printed code stays the same',
  );
  for (const name of labelNames) set.option(`--${name} <text>`, `new ${name}; "" removes it`);
  const names = ['url', ...labelNames] as const;
  set
    .hook('preAction', () => {
      const flags = set.opts<SetFlags>();
      if (names.every((name) => flags[name] === undefined))
        set.error(`error: name what to change: ${names.map((name) => `--${name}`).join(', ')}`);
    })
    .action(
      onStores((deps, text: string, flags: SetFlags) =>
        flags.url === undefined
          ? change(deps, text, flags)
          : withCodes(deps, startRenderWorker, ({ codes }) => change(deps, text, flags, codes.qrs)),
      ),
    );
}

async function createCode(
  { accounts, codes, config }: CodeDeps,
  url: string,
  flags: CreateFlags,
): Promise<Outcome> {
  const { id } = await findActiveAccount(accounts, flags.account);
  const { qr } = await codes.qrs.create(id, url, null, {
    ...parseLabels(flags),
    ...(flags.design !== undefined && {
      designId: (await codes.savedDesigns.find(id, flags.design)).designId,
    }),
  });
  return withAddressWarning(config, changedTo(qr));
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
    text,
    filter,
    sort,
    limit,
    offset,
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

/** Creates the action that changes the status of a code, if it is `from`. */
function changeStatus(from: 'active' | 'paused', to: 'active' | 'paused') {
  return onStores(async (stores, text: string) => {
    const { account, qr } = await findChangeable(stores, text);
    const changed = (await stores.qrs.changeStatus(account.id, qr.code, from, to)) ?? qr;
    if (changed.status === 'blocked')
      throw new CommandError(
        `${qr.code} is blocked. "waymark safety unblock-code ${qr.code}" lifts the block.`,
      );
    return changedTo(changed);
  });
}

/** Creates the action that archives codes, or the contrary. All are found before any is changed. */
function archive(isArchived: boolean) {
  return onStores(async (stores, texts: readonly string[]) => {
    const found = [];
    for (const text of texts) found.push(await findCode(stores, text));
    const changed: Qr[] = [];
    for (const { account, qr } of found)
      changed.push((await stores.qrs.changeLabels(account.id, qr.code, { isArchived })) ?? qr);
    const [only, ...others] = changed;
    if (only !== undefined && others.length === 0) return changedTo(only);
    return {
      text: changed.map(codeLine),
      json: { data: changed.map(codeJson) },
      change: { codes: String(changed.length) },
    };
  });
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
