import type { Command } from 'commander';
import { closing, realClock } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { type Config, servedPrefixesOf } from '../../config.ts';
import type { DomainChange, StoredDomain } from '../../core/codes/ports.ts';
import { type Domain, forgetDomain, listDomains } from '../../core/codes/urls/domains.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { trimEndWhere } from '../../lib/trim.ts';
import { checkLink } from '../account/account.ts';
import { findAccount } from '../account/find-account.ts';
import { addCommand, type CommandDeps, type Outcome, onStores } from '../command.ts';
import { parseDomain } from '../domain-url.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';
import { createProgress } from '../progress.ts';
import { erasureSentence } from '../sentences/sentences.ts';
import { checkDomain } from './check-domain.ts';

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
  addCommand(
    domain,
    'forget <url>',
    'stop and archive the codes of an address that phones cannot open, for good, so that the server starts without it',
  )
    .option('--yes', 'do it; without it, the command only says what that costs')
    .action(onStores(forget));
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
        reason: await checkDomain(domains, url, realClock.nowMs()),
      };
    }),
  );
  return {
    text: formatTable([
      ['DOMAIN', 'CODES', 'ACCOUNTS', 'LEADS HERE'],
      ...rows.map(({ url, codes, accounts, reason }) => [
        url,
        formatNumber(codes),
        accounts === null ? 'all' : accounts.join(', '),
        reason === null ? 'yes' : `no: ${reason}`,
      ]),
    ]),
    json: rows.map(toJson),
  };
}

async function add(deps: CommandDeps, text: string, flags: DomainFlags): Promise<Outcome> {
  const { config, domains } = deps;
  const url = requireOther(config, text);
  if (!(await domains.add(url, await changeOf(deps, flags), realClock.nowMs())))
    throw new CommandError(`${url} is there already. "waymark domain set" changes it.`);
  return outcomeOf(deps, url, 'Added');
}

async function set(deps: CommandDeps, text: string, flags: DomainFlags): Promise<Outcome> {
  const { config, domains } = deps;
  const url = requireOther(config, text);
  const change = await changeOf(deps, flags);
  if (Object.keys(change).length === 0)
    throw new CommandError('Nothing to change. Give --account, --front or --not-found.');
  if (!(await domains.set(url, change))) throw noDomain(url);
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
  const reason = await checkDomain(domains, url, realClock.nowMs());
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

function usersText(accounts: StoredDomain['accounts']): string {
  return accounts === null ? 'all accounts' : accounts.join(', ');
}

async function remove(
  { config, domains }: CommandDeps,
  text: string,
  { force }: { readonly force?: true },
): Promise<Outcome> {
  const url = requireOther(config, text);
  const printed = (await readPrinted(config)).find((one) => one.url === url);
  const isAdded = (await domains.all()).some((one) => one.url === url);
  if (printed === undefined && !isAdded) throw noDomain(url);
  const codes = printed?.codes ?? 0;
  if (codes > 0 && !force)
    throw new CommandError(
      `${formatCount(codes, 'code')} printed with ${url} would lead nowhere once it does not lead here. ` +
        'Nothing was changed. Add --force to remove it all the same.',
    );
  await domains.remove(url);
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

function noDomain(url: string): CommandError {
  return new CommandError(`There is no domain ${url}. "waymark domain list" shows them.`);
}

/** @throws CommandError for what is no domain, and for the addresses of the settings */
function requireOther(config: Config, text: string): string {
  const url = parseDomain(config, text);
  const served = servedPrefixesOf(config).map((prefix) => new URL(prefix).origin);
  if (served.includes(new URL(url).origin))
    throw new CommandError(`${url} is the main domain, or another name of it, which are settings.`);
  return url;
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

async function forget(
  deps: CommandDeps,
  text: string,
  { yes }: { readonly yes?: true },
): Promise<Outcome> {
  const { shortUrl } = deps.config;
  const all = await readPrinted(deps.config);
  const url = prefixOf(text);
  const domain = all.find((one) => one.url === url);
  if (domain === undefined)
    throw new CommandError(
      `No code was printed with ${url}. "waymark domain list" shows the addresses.`,
    );
  if (domain.reach !== 'this machine')
    throw new CommandError(
      `Phones can open ${url}: printed codes with it may be in use. If the address no longer leads to this server, name it in WAYMARK_SHORT_URL_ALIASES, or remove it with "waymark domain remove ${url} --force".`,
    );
  const next = shortUrl.toLowerCase() === url ? '' : `, and get ${shortUrl}`;
  const kept = domain.links > 0 && `Imported links stay${next}: ${formatNumber(domain.links)}.`;
  if (!yes)
    return {
      text: [costText(domain), kept],
      json: forgottenJson(domain),
      failure: 'Nothing was changed. Add --yes to do it.',
    };
  using progress = createProgress('codes', domain.codes || null);
  const codes = await forgetDomain(domain, all, shortUrl, {
    ...deps,
    clock: realClock,
    sleep: Bun.sleep,
    onProgress: progress.update,
  });
  return {
    text: [`Forgot ${url}, and stopped and archived ${formatCount(codes, 'code')}.`, kept],
    json: { ...forgottenJson(domain), codes },
    change: { url, codes: String(codes) },
    failure: erasureSentence(await deps.eraseFreeSpace()),
  };
}

/**
 * Returns an address in its stored form.
 * It is in ASCII and lower case, without a standard port and without a slash at the end.
 */
function prefixOf(text: string): string {
  const url = URL.parse(text.trim());
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  const prefix = isWeb ? `${url.origin}${url.pathname}` : text.trim();
  return trimEndWhere(prefix, (unit) => unit === '/').toLowerCase();
}

function costText({ url, codes }: Domain): string {
  return codes === 1
    ? `1 code was created with ${url}. It is stopped and archived for good, and belongs to nobody.`
    : `${formatNumber(codes)} codes were created with ${url}. They are stopped and archived for good, and belong to nobody.`;
}

function forgottenJson({ url, codes, reach }: Domain) {
  return { url, codes, reachable: reach !== 'this machine' };
}
