import type { Command } from 'commander';
import { composeCodeCommand } from '../../compose/code-command.ts';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import type { Config } from '../../config.ts';
import { requireActivePlan } from '../../core/accounts/account.ts';
import { storedForms } from '../../core/codes/code.ts';
import { labelFields, labelNames, type QrLabels } from '../../core/codes/fields.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { Qrs } from '../../core/codes/qrs.ts';
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
import { createStderrLog } from '../output.ts';
import { codeJson, codeLine, codeText } from './format.ts';

/** The stores, and what creates and edits codes. */
export interface CodeDeps extends CommandDeps {
  readonly codes: Awaited<ReturnType<typeof composeCodeCommand>>;
}

/** The options of labels, as typed. */
type LabelFlags = { readonly [Name in keyof QrLabels]?: string };

interface CreateFlags extends CommonFlags, LabelFlags {
  readonly account: string;
  readonly design?: string;
}

interface ListFlags extends CommonFlags {
  readonly account: string;
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

interface SetFlags extends CommonFlags, LabelFlags {
  readonly url?: string;
}

// A thousand records are a few hundred kilobytes of JSON.
const limits = { min: 1, max: 10_000 };
const offsets = { min: 0, max: 1_000_000_000 };

/** Runs a command that creates codes or changes destinations, with the checks of the server. */
export function runWithChecks(
  flags: CommonFlags,
  startRenderWorker: StartRenderWorker,
  act: (deps: CodeDeps, config: Config) => Promise<Outcome>,
): Promise<void> {
  return run(flags, async (stores, config) => {
    const log = createStderrLog(config);
    const codes = await composeCodeCommand(config, { stores, startRenderWorker, log });
    try {
      return await act({ ...stores, codes }, config);
    } finally {
      await codes.close();
    }
  });
}

/** Creates `waymark code create | list | show | set | pause | resume`. */
export function manageCommands(startRenderWorker: StartRenderWorker): Command[] {
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
    subcommand('list', 'list the codes of an account, newest first')
      .requiredOption(
        '--account <email>',
        'account of the codes; "nobody" for those of deleted accounts',
      )
      .option(
        '--search <text>',
        'only codes whose name, note, destination or code contains a text',
        '',
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
  return outcomeOf(qr, 'create');
}

async function list(
  { accounts, qrs }: CommandDeps,
  { account, search, limit, offset }: ListFlags,
): Promise<Outcome> {
  const { id } = await findOwner(accounts, account);
  const { found, total } =
    search === ''
      ? await qrs.listPage(id, limit, offset).then((page) => ({ ...page, found: page.qrs }))
      : await findMatches(qrs, id, { search, limit, offset });
  const rest = total - offset - found.length;
  const lines = found.map(codeLine);
  if (rest > 0) lines.push(`… and ${rest} more. Use --limit and --offset.`);
  const none = search === '' ? 'There is no code yet.' : 'No code contains this text.';
  return {
    text: lines.join('\n') || none,
    json: { data: found.map(codeJson), total },
  };
}

const searchBatchSize = 2000;

/** Returns a page of the codes that contain a text, and the number of all of them. */
async function findMatches(
  qrs: CommandDeps['qrs'],
  accountId: number,
  { search, limit, offset }: Pick<ListFlags, 'search' | 'limit' | 'offset'>,
): Promise<{ found: Qr[]; total: number }> {
  const found: Qr[] = [];
  let total = 0;
  let batch = await qrs.searchBatch(accountId, null, search, searchBatchSize);
  for (;;) {
    const from = Math.max(0, offset - total);
    found.push(...batch.found.slice(from, from + limit - found.length));
    total += batch.found.length;
    if (batch.next === null) return { found, total };
    batch = await qrs.searchBatch(accountId, batch.next, search, searchBatchSize);
  }
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
  return outcomeOf((await stores.qrs.changeLabels(account.id, qr.code, labels)) ?? qr, 'set');
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
      return outcomeOf(changed, verb);
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

/** @param verb of a command that changed the code */
function outcomeOf(qr: Qr, verb?: string): Outcome {
  return {
    text: codeText(qr),
    json: codeJson(qr),
    ...(verb !== undefined && {
      change: { command: `code ${verb}`, details: { code: qr.code } },
    }),
  };
}
