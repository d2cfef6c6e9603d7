import { type Command, Option } from 'commander';
import { composeSearchTerm } from '../../compose/domains.ts';
import { realClock } from '../../compose/runtime.ts';
import { ownerlessEmail } from '../../core/accounts/account.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { type CodeFilter, type CodeSort, codeSorts } from '../../core/codes/ports.ts';
import { type QrStatus, qrStatuses } from '../../core/codes/qr.ts';
import { createSavedDesigns } from '../../core/designs/saved-designs.ts';
import { formatCount } from '../../lib/numbers.ts';
import { findOwner } from '../account/find-account.ts';
import { addCommand, type CommandDeps, numberOption, type Outcome, onStores } from '../command.ts';
import { UsageError } from '../errors/command-error.ts';
import { listsOf } from './folder.ts';
import { codeJson, codeTable, type ListedCode, searchHelp } from './format.ts';

interface ListFlags {
  readonly account?: string;
  readonly all?: true;
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

// A thousand records are a few hundred kilobytes of JSON.
const limits = { min: 1, max: 10_000 };
const offsets = { min: 0 };
// The codes up to the end of the page are held in memory.
const maxOfAll = 100_000;

/** Adds `waymark code list`. */
export function addListCommand(code: Command): void {
  const list = addCommand(code, 'list', 'list the codes of an account, or of all')
    .option('--account <email>', 'account of the codes; "nobody" for those of deleted accounts')
    .addOption(new Option('--all', 'codes of all accounts').conflicts(['account', 'design']))
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
    .addOption(numberOption('--offset <number>', 'number of codes to skip', offsets).default(0));
  list
    .hook('preAction', () => {
      const { account, all } = list.opts<ListFlags>();
      if (account === undefined && !all)
        list.error('error: name the account with --account, or list all with --all');
    })
    .action(onStores(listCodes));
}

async function listCodes(deps: CommandDeps, flags: ListFlags): Promise<Outcome> {
  const { search: text, offset } = flags;
  const { codes, total, filter } = await (flags.account === undefined
    ? pageOfAll(deps, flags)
    : pageOf(deps, flags, flags.account));
  const rest = total - offset - codes.length;
  const more = rest > 0 && `… and ${rest} more. Use --limit and --offset.`;
  return {
    text: codes.length > 0 ? [codeTable(codes), more] : noneText(total, text, filter),
    json: {
      data: codes.map(({ qr, owner }) => ({
        ...codeJson(qr),
        ...(owner !== undefined && { account: owner }),
      })),
      total,
    },
  };
}

interface Page {
  readonly codes: readonly ListedCode[];
  readonly total: number;
  readonly filter: CodeFilter;
}

async function pageOf(deps: CommandDeps, flags: ListFlags, email: string): Promise<Page> {
  const { sort, limit, offset, design } = flags;
  const text = await composeSearchTerm(deps.config, deps.domains)(flags.search);
  const { id } = await findOwner(deps.accounts, email);
  const savedDesigns = createSavedDesigns({ ...deps, store: deps.savedDesigns, clock: realClock });
  const saved = design === undefined ? null : await savedDesigns.find(id, design);
  const filter = {
    ...filterOf(flags),
    ...(saved !== null && { designId: saved.designId }),
  };
  const query = { text, filter, sort, limit, offset, needsTotal: true };
  const page = await listsOf(deps).page(id, query);
  return { codes: page.qrs.map((qr) => ({ qr })), total: page.total ?? 0, filter };
}

async function pageOfAll(deps: CommandDeps, flags: ListFlags): Promise<Page> {
  const { sort, limit, offset } = flags;
  const text = await composeSearchTerm(deps.config, deps.domains)(flags.search);
  if (offset + limit > maxOfAll)
    throw new UsageError(
      `--all lists up to ${maxOfAll} codes, --offset included. "waymark export" writes all.`,
    );
  const owners = await allOwners(deps.accounts);
  const filter = filterOf(flags);
  const query = { text, filter, sort, limit, offset };
  const page = await listsOf(deps).pageOfAll([...owners.keys()], query);
  const codes = page.qrs.map((qr) => ({ qr, owner: owners.get(qr.accountId) ?? '' }));
  return { codes, total: page.total, filter };
}

/** Returns the e-mail addresses of all owners of codes by their ids, `nobody` included. */
async function allOwners(accounts: AccountStore): Promise<Map<number, string>> {
  const { accounts: all } = await accounts.search('');
  const nobody = await accounts.findByEmail(ownerlessEmail);
  const owners = nobody === null ? all : [...all, nobody];
  return new Map(owners.map(({ id, email }) => [id, email]));
}

function filterOf({ folder, status, neverScanned, archived }: ListFlags): CodeFilter {
  return {
    ...(folder !== undefined && { folder }),
    ...(status !== undefined && { status }),
    ...(neverScanned && { isNeverScanned: true }),
    ...(archived && { isArchived: true }),
  };
}

/** Says why a list has no code. */
function noneText(total: number, text: string, filter: CodeFilter): string {
  if (total > 0)
    return `There are no more than ${formatCount(total, 'code')}. Use a smaller --offset.`;
  if (text !== '') return 'No code contains this text.';
  return Object.keys(filter).length > 0 ? 'There is no such code.' : 'There is no code yet.';
}
