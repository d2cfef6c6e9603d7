import { type Config, servedPrefixesOf } from '../../config.ts';
import type { SecondFactorStore, SecretBox, StoredSecret } from '../../core/accounts/ports.ts';
import { StoreUnavailable } from '../../core/errors.ts';
import type { Health, HealthReport } from '../../core/health.ts';
import { createAppSite } from '../../http/app-site.ts';
import type { Logger } from '../../lib/logger.ts';
import type { AppHandler } from '../../redirect/pass-on.ts';
import { createRequestId } from '../../redirect/request-ids.ts';
import { createResponseCounts } from '../../redirect/responses.ts';
import { clockDiffersCondition, createClockCondition } from '../clock-conditions.ts';
import { composeLimits } from '../limits.ts';
import type { StartRenderWorker } from '../runtime.ts';
import { createStorage } from '../storage.ts';
import { checkBeforeServing, recordThisServer } from '../upgrade/upgrade-check.ts';
import { composeApp } from './app.ts';
import { createSecretBox, keyProblem, sealAll } from './secret-box.ts';

// They take some milliseconds of a start.
const countersAtStart = 100_000;

/** The app server: everything except short links. */
export interface ComposedAppServer {
  readonly handle: AppHandler;
  /** The one-time link that creates the first account; null if there is one. */
  readonly firstLink: string | null;
  /** Rejects queued and new render jobs. */
  stopRendering(): Promise<void>;
  /**
   * Ends workers and tasks, folds the hits that are written, and closes the database.
   * No request may follow.
   */
  close(): Promise<void>;
}

export interface AppServerDeps {
  readonly startRenderWorker: StartRenderWorker;
  readonly health: Health;
  /** Whether there must be a database, because the redirect server has served it. */
  readonly isDatabaseRequired: boolean;
  /** Returns what is wrong with the redirect server. */
  readonly redirectReport: () => HealthReport;
  readonly log: Logger;
}

/**
 * Creates the app server: checks and migrates the database, and starts all background tasks.
 *
 * @throws DatabaseUnusable, DatabaseCorrupt, DiskFull, ConfigError
 */
export async function composeAppServer(
  config: Config,
  deps: AppServerDeps,
): Promise<ComposedAppServer> {
  const { health, log } = deps;
  let isVerified = true;
  let secrets: readonly StoredSecret[] = [];
  let newestMs: number | null = null;
  const opened = await createStorage(config);
  const storage = await opened.openForServer({
    durability: config.durability,
    isDatabaseRequired: deps.isDatabaseRequired,
    log,
    check: async (reader) => {
      isVerified = await checkBeforeServing(reader, config, deps);
      secrets = await reader.storedSecrets();
      newestMs = await reader.newestTimeMs(countersAtStart);
    },
  });
  health.add(...storage.conditions, createClockCondition(newestMs), clockDiffersCondition);
  try {
    const stores = await storage.stores();
    await recordThisServer(storage, stores.domains, config, isVerified, log);
    const secretBox = await openSecrets(config, secrets, stores.secondFactors, deps);
    const responses = createResponseCounts();
    const app = composeApp(config, {
      ...deps,
      storage,
      stores,
      limits: composeLimits(config, stores.keys, await storage.limits()),
      secretBox,
      responses,
      servedPrefixes: servedPrefixesOf(config),
    });
    return {
      handle: createAppSite({
        app,
        health,
        responses,
        addresses: config,
        log,
        newRequestId: createRequestId,
      }),
      firstLink: storage.isNew ? await app.firstLink() : null,
      stopRendering: app.stopRendering,
      close: async () => {
        await app.close();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Opens the key of second factors, and seals the secrets that are stored as they are.
 * Tells which it does not open, and when there is no key in the file of the key.
 */
async function openSecrets(
  config: Config,
  secrets: readonly StoredSecret[],
  store: SecondFactorStore,
  { health, log }: AppServerDeps,
): Promise<SecretBox> {
  const box = await createSecretBox(config);
  const problem = await keyProblem(config, secrets);
  health.add({
    name: 'second_factors_unreadable',
    severity: 'warning',
    check: () => (problem === null ? [] : [`${problem.message}. ${problem.advice}`]),
  });
  if (problem?.isUnusable) return box;
  try {
    await sealAll(box, secrets, store);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    log.warn('the database cannot be written', { cause: String(error.cause) });
  }
  return box;
}
