import type { Command } from 'commander';
import { checkDomain } from '../../compose/domains.ts';
import { closing, type StartRenderWorker } from '../../compose/runtime.ts';
import { createStorage } from '../../compose/storage.ts';
import { type Config, ConfigError } from '../../config.ts';
import { sampleShortLink } from '../../core/codes/urls/short-url.ts';
import { plainDesign } from '../../core/designs/design.ts';
import { DatabaseUnusable } from '../../core/errors.ts';
import { textsOf } from '../../languages/texts.ts';
import { errnoMessage, errorMessage } from '../../lib/errors.ts';
import { environmentWarnings } from '../../redirect/settings.ts';
import { domainProblemSentence } from '../../sentences/domains.ts';
import { createRenderer } from '../../workers/renderer.ts';
import { addCommand, type CommonFlags, configOf, type Outcome, toAction } from '../command.ts';
import { broken, type Check, ok, warning } from './check.ts';
import { checkDatabase, findActiveCode } from './database.ts';
import { checkFolder } from './folder.ts';
import { checkAddress, checkPublicUrl, checkServer, checkShortLinks } from './network.ts';
import { checkProvider } from './provider.ts';

/** Adds `waymark doctor`. */
export function addDoctorCommand(program: Command, startRenderWorker: StartRenderWorker): void {
  addCommand(program, 'doctor', 'check settings, data folder, address, database and renderer')
    .option('--accept-loss', 'end the warning that PostgreSQL went back to an older state')
    .action(
      toAction(async (flags: DoctorFlags) => {
        if (flags.acceptLoss) await (await createStorage(configOf(flags))).acceptLoss();
        return outcomeOf(await runChecks(flags, startRenderWorker));
      }),
    );
}

interface DoctorFlags extends CommonFlags {
  readonly acceptLoss?: true;
}

async function runChecks(flags: CommonFlags, startRenderWorker: StartRenderWorker) {
  const config = readSettings(flags);
  if ('status' in config) return [config, ...checkNames()];
  const checks: Checks = {
    'data folder': () => checkFolder(config.data),
    address: () => checkAddress(config),
    server: () => checkServer(config),
    'public URL': async () => ((await isServed(config)) ? checkAddresses(config) : []),
    database: () => checkDatabase(config),
    domains: () => checkDomains(config),
    'sign-in provider': () => checkProvider(config),
    renderer: () => checkRenderer(config, startRenderWorker),
  };
  return [ok('settings', 'all values are valid'), ...checkNames(), ...(await runAll(checks))];
}

type Result = Check | readonly Check[];
type Checks = Readonly<Record<string, () => Result | Promise<Result>>>;

/** Runs checks in turn. One that fails with an unexpected error is broken, and the others follow. */
async function runAll(checks: Checks): Promise<Check[]> {
  const results: Check[] = [];
  for (const [name, check] of Object.entries(checks))
    try {
      results.push(...[await check()].flat());
    } catch (error) {
      const advice = 'Look at the files and addresses that the settings name: "waymark settings".';
      results.push(broken(name, `it cannot be checked: ${errnoMessage(error)}`, advice));
    }
  return results;
}

/** Checks from outside in that the running server can be reached. */
async function checkAddresses(config: Config): Promise<Check[]> {
  return [
    await checkPublicUrl(config),
    ...(await checkShortLinks(config, await findActiveCode(config))),
  ];
}

/** Checks that each domain beside the main one leads to a server of this database. */
async function checkDomains(config: Config): Promise<Check[]> {
  if (!(await isServed(config))) return [];
  await using stores = closing(
    await (await createStorage(config)).openForCommand({ create: false }),
  );
  const { domains } = stores;
  const checks: Check[] = [];
  for (const { url } of await domains.all()) {
    const problem = await checkDomain(domains, url);
    checks.push(
      problem === null
        ? ok('domain', `${url} leads to this server`)
        : warning(
            'domain',
            `${url} does not lead to this server: ${domainProblemSentence(problem, textsOf('en'))}`,
            'Check its DNS entry, its certificate, and that the proxy forwards it to this server.',
          ),
    );
  }
  return checks;
}

/** Returns whether a server runs. The check of the database tells why that cannot be found out. */
async function isServed(config: Config): Promise<boolean> {
  try {
    return await (await createStorage(config)).isServed();
  } catch (error) {
    if (error instanceof DatabaseUnusable) return false;
    throw error;
  }
}

const helpAdvice = 'See "waymark serve --help".';

function readSettings(flags: CommonFlags): Config | Check {
  try {
    return configOf(flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return broken('settings', error.message, helpAdvice);
  }
}

function checkNames(): Check[] {
  return environmentWarnings(Bun.env).map((message) =>
    warning('setting names', message, helpAdvice),
  );
}

async function checkRenderer(config: Config, startRenderWorker: StartRenderWorker): Promise<Check> {
  await using renderer = closing(createRenderer({ startRenderWorker, workers: 1 }));
  try {
    const link = sampleShortLink(config);
    const { isReadable, modules } = await renderer.checkReadability(link, plainDesign);
    const size = `a code of ${link} has ${modules} × ${modules} modules`;
    if (isReadable) return ok('renderer', size);
    return broken('renderer', `${size} and can't be read`, 'Choose a shorter WAYMARK_SHORT_URL.');
  } catch (error) {
    const advice =
      'Check that some hundred megabytes of memory are free, and install Waymark again.';
    return broken('renderer', `nothing can be rendered: ${errorMessage(error)}`, advice);
  }
}

function outcomeOf(checks: readonly Check[]): Outcome {
  const count = (status: Check['status']) => checks.filter((one) => one.status === status).length;
  const failures = count('broken');
  return {
    text: checks.map(toText),
    json: { healthy: failures === 0, warnings: count('warning'), checks },
    failure: failures > 0 && `${failures} of ${checks.length} checks failed.`,
  };
}

const marks = { ok: 'ok     ', warning: 'warning', broken: 'BROKEN ' } as const;

function toText({ name, status, message, advice }: Check): string {
  const text = `${marks[status]}  ${name}: ${message}`.replaceAll('\n', '\n         ');
  return advice === null ? text : `${text}\n         → ${advice}`;
}
