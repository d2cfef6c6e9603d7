import type { Command } from 'commander';
import { checkDomain, composeDomains } from '../../compose/domains.ts';
import { closing } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import type { Config } from '../../config.ts';
import type { DomainChange, StoredDomain } from '../../core/codes/ports.ts';
import { type Domain, listDomains } from '../../core/codes/urls/domains.ts';
import { Refused } from '../../core/errors.ts';
import { textsOf } from '../../languages/texts.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { trimEndWhere } from '../../lib/trim.ts';
import { domainProblemSentence } from '../../sentences/domains.ts';
import { checkLink } from '../account/account.ts';
import { findAccount } from '../account/find-account.ts';
import { addCommand, type CommandDeps, type Outcome, onStores } from '../command.ts';
import { parseDomain } from '../domain-url.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';

interface DomainFlags {
  readonly account?: readonly string[];
  readonly front?: string;
  readonly notFound?: string;
}

/** Adds `waymark domain add | set | list | remove`. */
export function addDomainCommands(program: Command): void {
  const domain = program.command('domain').description('manage the domains in printed codes');
  const withSettings = (command: Command) =>
    command
      .option('--account <email...>', 'accounts that may use it; "all" for all accounts')
      .option('--front <url>', 'where / leads; "" is the front page of this server')
      .option('--not-found <url>', 'where unknown addresses lead; "" is a page that says so');
  withSettings(
    addCommand(domain, 'add <url>', 'add a domain for codes, beside the main one'),
  ).action(onStores(add));
  withSettings(
    addCommand(domain, 'set <url>', 'change who may use a domain, and its pages'),
  ).action(onStores(set));
  addCommand(
    domain,
    'list',
    'list the domains, with their codes, and whether each leads to this server',
  ).action(onStores(list));
  addCommand(domain, 'remove <url>', 'remove a domain')
    .option('--force', 'also if codes were printed with it')
    .action(onStores(remove));
}

/** A domain as it is shown. */
interface Row {
  readonly url: string;
  readonly accounts: readonly string[] | null;
  readonly codes: number;
  readonly reason: string | null;
}

function toJson({ url, accounts, codes, reason }: Row) {
  return { url, accounts, codes, reachable: reason === null, reason };
}

/** Reads the addresses in printed codes, with their number of codes. */
async function readPrinted(config: Config): Promise<Domain[]> {
  await using reader = closing(await (await createStorage(config)).openForReading());
  return await reader.withRedirects(listDomains);
}

async function list(deps: CommandDeps): Promise<Outcome> {
  const { config, domains } = deps;
  const printed = await readPrinted(config);
  const added = await domains.all();
  const others = [...added, ...printed].map(({ url }) => url);
  if (others.length === 0) return { text: 'No code was created yet.', json: [] };
  const urls = [...new Set([config.shortUrl.toLowerCase(), ...others])].sort();
  const rows = await Promise.all(
    urls.map(async (url): Promise<Row> => {
      const ofUrl = printed.find((one) => one.url === url);
      return {
        url,
        accounts: added.find((one) => one.url === url)?.accounts ?? null,
        codes: ofUrl?.codes ?? 0,
        reason: await reasonOf(domains, url),
      };
    }),
  );
  return {
    text: formatTable([
      ['DOMAIN', 'CODES', 'ACCOUNTS', 'LEADS HERE'],
      ...rows.map(({ url, codes, accounts, reason }) => [
        url,
        formatNumber(codes),
        usersText(accounts),
        reason === null ? 'yes' : `no: ${reason}`,
      ]),
    ]),
    json: rows.map(toJson),
  };
}

async function add(deps: CommandDeps, text: string, flags: DomainFlags): Promise<Outcome> {
  const { config, domains } = deps;
  const url = parseDomain(config, text);
  const managed = composeDomains(config, domains);
  managed.requireOther(url);
  await managed.add({ kind: 'command' }, url, await changeOf(deps, flags));
  return outcomeOf(deps, url, 'Added');
}

async function set(deps: CommandDeps, text: string, flags: DomainFlags): Promise<Outcome> {
  const { config, domains } = deps;
  const url = parseDomain(config, text);
  const managed = composeDomains(config, domains);
  managed.requireOther(url);
  const change = await changeOf(deps, flags);
  if (Object.keys(change).length === 0)
    throw new CommandError('Nothing to change. Give --account, --front or --not-found.');
  await managed.set({ kind: 'command' }, url, change);
  return outcomeOf(deps, url, 'Changed');
}

async function outcomeOf(
  { config, domains }: CommandDeps,
  url: string,
  verb: 'Added' | 'Changed',
): Promise<Outcome> {
  const { accounts = null } = (await domains.all()).find((one) => one.url === url) ?? {};
  const printed = (await readPrinted(config)).find((one) => one.url === url);
  const codes = printed?.codes ?? 0;
  const reason = await reasonOf(domains, url);
  return {
    text: `${verb} ${url}, for ${usersText(accounts)}.`,
    json: toJson({ url, accounts, codes, reason }),
    warnings: [
      reason !== null &&
        `${url} does not lead to this server yet. ${reason} Point it here before you print codes.`,
    ],
    change: { url },
  };
}

/** Returns why a domain does not lead here, in words, or null if it does. */
async function reasonOf(domains: CommandDeps['domains'], url: string): Promise<string | null> {
  const problem = await checkDomain(domains, url);
  return problem && domainProblemSentence(problem, textsOf('en'));
}

function usersText(accounts: StoredDomain['accounts']): string {
  if (accounts === null) return 'all accounts';
  return accounts.length === 0 ? 'no account' : accounts.join(', ');
}

async function remove(
  { config, domains }: CommandDeps,
  text: string,
  { force }: { readonly force?: true },
): Promise<Outcome> {
  const url = addressOf(text);
  const printed = (await readPrinted(config)).map((one) => one.url);
  const isAdded = (await domains.all()).some((one) => one.url === url);
  if (!printed.includes(url) && !isAdded) throw new Refused({ kind: 'no such domain', url });
  const codes = await composeDomains(config, domains).remove({ kind: 'command' }, url, {
    isForced: force === true,
    longer: printed.filter((one) => one.startsWith(`${url}/`)),
  });
  return {
    text: [
      `Removed ${url}.`,
      codes > 0 &&
        `Its codes stay found under the other domains: ${formatNumber(codes)}. What was printed with ${url} leads nowhere once it does not lead here, its front page and its page for unknown addresses at once.`,
    ],
    json: { url, codes },
    change: { url },
  };
}

/**
 * Returns an address in its stored form: in ASCII and lower case, without a standard port and without a slash at the
 * end. The main domain may also have had addresses with a path.
 */
function addressOf(text: string): string {
  const url = URL.parse(text.trim());
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  const address = isWeb ? `${url.origin}${url.pathname}` : text.trim();
  return trimEndWhere(address, (unit) => unit === '/').toLowerCase();
}

/** @throws ApiError for an address that is no destination */
async function changeOf(
  deps: CommandDeps,
  { account, front, notFound }: DomainFlags,
): Promise<DomainChange> {
  const isForAll = account?.includes('all') ?? false;
  const found = isForAll
    ? []
    : await Promise.all((account ?? []).map((email) => findAccount(deps.accounts, email)));
  return {
    ...(account !== undefined && { accountIds: isForAll ? null : found.map(({ id }) => id) }),
    ...(front !== undefined && { frontUrl: await checkLink(deps, front) }),
    ...(notFound !== undefined && { notFoundUrl: await checkLink(deps, notFound) }),
  };
}
