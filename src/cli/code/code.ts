import { type Command, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { realClock } from '../../compose/runtime.ts';
import { servedPrefixesOf } from '../../config.ts';
import { requireActivePlan } from '../../core/accounts/account.ts';
import {
  type LabelName,
  labelFields,
  labelNames,
  type QrLabels,
  textLabels,
} from '../../core/codes/fields.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { Qrs } from '../../core/codes/qrs.ts';
import { type LinksOfServer, requireNoLoop } from '../../core/codes/urls/loops.ts';
import { changeLabels } from '../../core/codes/urls/typed-path.ts';
import { parsePausedMessage } from '../../core/labels.ts';
import { findActiveAccount } from '../account/find-account.ts';
import {
  addCommand,
  type CommandDeps,
  commandOn,
  type Outcome,
  onStores,
  warnOfLocalAddress,
} from '../command.ts';
import { parseDomain } from '../domain-url.ts';
import { CommandError } from '../errors/command-error.ts';
import { type CodeDeps, onCodes, withCodes } from './command.ts';
import { findChangeable, findCode } from './find-code.ts';
import { codeJson, codeTable, codeText } from './format.ts';
import { addListCommand } from './list.ts';

/** The options of labels, as typed. */
type LabelFlags = { readonly [Name in LabelFlag]?: string };
type LabelFlag = Exclude<LabelName, 'query'> | 'passQuery';

const flagOf = (name: LabelName): LabelFlag => (name === 'query' ? 'passQuery' : name);
const optionOf = (name: LabelName) => (name === 'query' ? '--pass-query' : `--${name}`);

interface CreateFlags extends LabelFlags {
  readonly account: string;
  readonly design?: string;
  readonly domain?: string;
}

interface SetFlags extends LabelFlags {
  readonly url?: string;
}

type AddVerb = (code: Command, startRenderWorker: StartRenderWorker) => void | Promise<void>;

/** The commands in the order of the help. What a command alone needs is loaded for it. */
const verbs: Readonly<Record<string, AddVerb>> = {
  create: addCreateCommand,
  list: addListCommand,
  show: addShowCommand,
  set: addSetCommand,
  pause: addPauseCommand,
  resume: addResumeCommand,
  archive: addArchiveCommand,
  unarchive: addUnarchiveCommand,
  import: async (code, start) => (await import('./import.ts')).addImportCommand(code, start),
  sheet: async (code, start) => (await import('./sheet.ts')).addSheetCommand(code, start),
  download: async (code, start) => (await import('./download.ts')).addDownloadCommand(code, start),
  plan: async (code, start) => (await import('./plan.ts')).addPlanCommand(code, start),
};

/** Adds `waymark code …`. @param verb the only command to add, if there is one of this name */
export async function addCodeCommands(
  program: Command,
  startRenderWorker: StartRenderWorker,
  verb = '',
): Promise<void> {
  const code = program.command('code').description('create, edit and print codes');
  const names = Object.hasOwn(verbs, verb) ? [verb] : Object.keys(verbs);
  for (const name of names) await verbs[name]?.(code, startRenderWorker);
}

function addShowCommand(code: Command): void {
  addCommand(code, 'show <code>', 'show a code').action(
    onStores(async (deps, text: string) => outcomeOf((await findCode(deps, text)).qr)),
  );
}

function addPauseCommand(code: Command): void {
  addCommand(code, 'pause <code>', 'show a "paused" page instead of redirecting')
    .option('--message <text>', "what the page says (default: the account's message)")
    .action(changeStatus('active', 'paused'));
}

function addResumeCommand(code: Command): void {
  addCommand(code, 'resume <code>', 'redirect again after a pause').action(
    changeStatus('paused', 'active'),
  );
}

function addArchiveCommand(code: Command): void {
  addCommand(code, 'archive <codes...>', 'leave codes out of lists; they still redirect').action(
    archive(true),
  );
}

function addUnarchiveCommand(code: Command): void {
  addCommand(code, 'unarchive <codes...>', 'show archived codes in lists again').action(
    archive(false),
  );
}

function addCreateCommand(code: Command, startRenderWorker: StartRenderWorker): void {
  const create = addCommand(code, 'create <url>', 'create a code').requiredOption(
    '--account <email>',
    'account of the code',
  );
  for (const name of textLabels) create.option(`--${name} <text>`, `${name} of the code`);
  create
    .addOption(passQueryOption())
    .option('--domain <url>', 'domain of the code (default: that of the account)')
    .option('--design <name>', 'saved design (default: the default design of the account)')
    .action(onCodes(startRenderWorker, createCode));
}

function addSetCommand(code: Command, startRenderWorker: StartRenderWorker): void {
  const set = addCommand(code, 'set <code>', 'change the destination or labels of a code').option(
    '--url <url>',
    'new destination; the printed code stays the same',
  );
  for (const name of textLabels) set.option(`--${name} <text>`, `new ${name}; "" removes it`);
  const names = ['url', ...labelNames.map(flagOf)] as const;
  const options = ['--url', ...labelNames.map(optionOf)];
  set
    .addOption(passQueryOption())
    .hook('preAction', () => {
      const flags = set.opts<SetFlags>();
      if (names.every((name) => flags[name] === undefined))
        set.error(`error: name what to change: ${options.join(', ')}`);
    })
    .action(
      onStores((deps, text: string, flags: SetFlags) =>
        flags.url === undefined
          ? change(deps, text, flags)
          : withCodes(deps, startRenderWorker, ({ codes }) => change(deps, text, flags, codes.qrs)),
      ),
    );
}

function passQueryOption(): Option {
  return new Option(
    '--pass-query <on|off>',
    'whether the query of a scanned address is added to the destination',
  ).choices(['on', 'off']);
}

async function createCode(
  { accounts, codes, config }: CodeDeps,
  url: string,
  flags: CreateFlags,
): Promise<Outcome> {
  const account = await findActiveAccount(accounts, flags.account);
  await warnOfLocalAddress(config);
  const { qr } = await codes.qrs.create(commandOn(account), url, null, {
    ...parseLabels(flags),
    ...(flags.domain !== undefined && { domain: parseDomain(config, flags.domain) }),
    ...(flags.design !== undefined && {
      designId: (await codes.savedDesigns.find(account.id, flags.design)).designId,
    }),
  });
  return changedTo(qr);
}

async function change(
  stores: CommandDeps,
  text: string,
  { url, ...flags }: SetFlags,
  checked?: Pick<Qrs, 'changeDestination'>,
): Promise<Outcome> {
  const { account, qr } = await findChangeable(stores, text);
  const labels = parseLabels(flags);
  const destination = url === undefined ? qr.destination : url;
  const server = linksOf(stores);
  // Before the destination is changed, so that all is changed or nothing.
  const { code, shortLink } = qr;
  await requireNoLoop({ code, path: labels.path ?? null, shortLink }, destination, server);
  if (checked !== undefined) {
    requireActivePlan(account, realClock.nowMs());
    await checked.changeDestination(commandOn(account), qr.code, async () => url);
  }
  const changed = await changeLabels(
    { store: stores.qrs, ...server },
    commandOn(account),
    { code, shortLink, destination },
    labels,
    realClock.nowMs(),
  );
  return changedTo(changed ?? qr);
}

function linksOf({ linkImports, domains, config }: CommandDeps): LinksOfServer {
  return { links: linkImports, domains, prefixes: servedPrefixesOf(config) };
}

/** Parses the labels that are given. @throws Refused */
function parseLabels(flags: LabelFlags): Partial<QrLabels> {
  const given = labelNames.flatMap((name) => {
    const text = flags[flagOf(name)];
    return text === undefined ? [] : [[name, labelFields[name].parse(text)] as const];
  });
  return Object.fromEntries(given);
}

/** Creates the action that changes the status of a code, if it is `from`. */
function changeStatus(from: 'active' | 'paused', to: 'active' | 'paused') {
  return onStores(async (stores, text: string, flags: { readonly message?: string }) => {
    const { account, qr } = await findChangeable(stores, text);
    const message = flags.message === undefined ? undefined : parsePausedMessage(flags.message);
    const changed =
      (await stores.qrs.changeStatus(
        commandOn(account),
        qr.code,
        from,
        to,
        realClock.nowMs(),
        message,
      )) ?? qr;
    if (changed.status === 'blocked')
      throw new CommandError(
        `${qr.code} is blocked. "waymark safety unblock-code ${qr.code}" lifts the block.`,
      );
    return message === undefined ? changedTo(changed) : withPausedMessage(changed, message);
  });
}

/** Adds what the page of a code says from now on. */
function withPausedMessage(qr: Qr, message: string | null): Outcome {
  const line =
    message === null ? 'Its page shows the message of the account.' : `Its page says: ${message}`;
  return {
    ...changedTo(qr),
    text: [codeText(qr), line],
    json: { ...codeJson(qr), paused_message: message },
  };
}

/** Creates the action that archives codes, or the contrary. All are found before any is changed. */
function archive(isArchived: boolean) {
  return onStores(async (stores, texts: readonly string[]) => {
    const found = [];
    for (const text of texts) found.push(await findCode(stores, text));
    const changed: Qr[] = [];
    for (const { account, qr } of found)
      changed.push(
        (await changeLabels(
          { store: stores.qrs, ...linksOf(stores) },
          commandOn(account),
          qr,
          { isArchived },
          realClock.nowMs(),
        )) ?? qr,
      );
    const [only, ...others] = changed;
    if (only !== undefined && others.length === 0) return changedTo(only);
    return {
      text: codeTable(changed.map((qr) => ({ qr }))),
      json: { data: changed.map(codeJson) },
      change: { codes: String(changed.length) },
    };
  });
}

function outcomeOf(qr: Qr): Outcome {
  return { text: codeText(qr), json: codeJson(qr) };
}

/** Returns the outcome of a command that changed a code. */
function changedTo(qr: Qr): Outcome {
  return { ...outcomeOf(qr), change: { code: qr.code } };
}
