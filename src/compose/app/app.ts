import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';
import { createAccountDeletion } from '../../core/account-deletion.ts';
import { createAccess } from '../../core/accounts/access.ts';
import { createAccountActivity } from '../../core/accounts/activity/account-activity.ts';
import { createSignInNotices } from '../../core/accounts/activity/sign-in-notice.ts';
import { createApiKeys } from '../../core/accounts/api-key.ts';
import { createPasswordQueue } from '../../core/accounts/password/password.ts';
import { createPeople } from '../../core/accounts/people/people.ts';
import type { SecretBox } from '../../core/accounts/ports.ts';
import { createSecondFactors } from '../../core/accounts/second-factor.ts';
import { createSessions, newToken } from '../../core/accounts/session.ts';
import { createIdentities } from '../../core/accounts/sign-in/identities.ts';
import { createSignIn } from '../../core/accounts/sign-in/sign-in.ts';
import { createSignInLinks } from '../../core/accounts/sign-in/sign-in-link.ts';
import { createSignInSteps } from '../../core/accounts/sign-in/steps.ts';
import { createQrInsights } from '../../core/codes/insight.ts';
import { createCodeLists } from '../../core/codes/lists/lists.ts';
import { createPeriodLists } from '../../core/codes/lists/period-lists.ts';
import { readInTurns } from '../../core/codes/lists/search.ts';
import { createArchives } from '../../core/codes/print/archive.ts';
import { createCodePictures } from '../../core/codes/print/pictures.ts';
import { createSheets } from '../../core/codes/print/sheets.ts';
import { sampleShortLink } from '../../core/codes/urls/short-url.ts';
import { createDefaultDesigns } from '../../core/designs/default-design.ts';
import { plainDesign } from '../../core/designs/design.ts';
import { createPictures } from '../../core/designs/pictures.ts';
import { type Health, type HealthReport, joinReports } from '../../core/health.ts';
import { createBackgroundRuns } from '../../core/scans/background-results.ts';
import { createOverviews } from '../../core/scans/overview.ts';
import type { ServerStorage, Stores } from '../../core/storage.ts';
import { createApi } from '../../http/api/api.ts';
import type { App } from '../../http/app-site.ts';
import { createPublicPages } from '../../http/public-routes.ts';
import { orNull } from '../../lib/errors.ts';
import { pause } from '../../lib/event-loop.ts';
import type { Logger } from '../../lib/logger.ts';
import { isSocketPath } from '../../lib/text/addresses.ts';
import { createPanel, createPanelTurns } from '../../panel/panel.ts';
import { createClientAddress } from '../../panel/request/client-address.ts';
import { hasSessionCookie } from '../../panel/request/request.ts';
import { readProcess } from '../../redirect/metrics/process.ts';
import type { ResponseCounts } from '../../redirect/responses.ts';
import { rendererIdentity } from '../../render/identity.ts';
import { pictureOf } from '../../render/path/picture.ts';
import { svgOf } from '../../render/path/svg.ts';
import { printMatrixOf, symbolSide } from '../../render/print-image.ts';
import { createRenderer } from '../../workers/renderer.ts';
import { startActivityRetention } from '../activity.ts';
import { startBackups } from '../backups.ts';
import { composeCodes, startBatches, startLoopCheck, startSchedule } from '../codes.ts';
import { composeDomains, composeSearchTerm } from '../domains.ts';
import { createFirstAccount } from '../first-account.ts';
import type { Limits } from '../limits.ts';
import { realClock, realRandomBytes, type StartRenderWorker } from '../runtime.ts';
import { composeSafety, composeSafetyAdmin, listAges, startRechecks } from '../safety.ts';
import { watchOperators } from './operators.ts';
import { composeProvider } from './provider.ts';

/** Creates the parts of the app: API, account panel, pages and background tasks. */
export function composeApp(
  config: Config,
  deps: {
    storage: Pick<ServerStorage, 'exclusively' | 'sizes' | 'lastBackupMs'>;
    stores: Stores;
    limits: Limits;
    health: Health;
    redirectReport: () => HealthReport;
    responses: ResponseCounts;
    /** Prefixes at which codes redirect. */
    servedPrefixes: readonly string[];
    startRenderWorker: StartRenderWorker;
    secretBox: SecretBox;
    log: Logger;
  },
) {
  const { storage, stores, limits, health, responses, servedPrefixes } = deps;
  const { exclusively } = storage;
  const { redirectReport } = deps;
  const { startRenderWorker, secretBox, log } = deps;
  const clock = realClock;
  const randomBytes = realRandomBytes;
  const { keys, designs } = stores;
  // Two at least, so that the jobs of one account never occupy all of them.
  const workers = Math.max(2, availableParallelism() - 1);
  const renderer = createRenderer({
    fonts: config.fonts,
    startRenderWorker,
    workers,
    workersPerOwner: workers - 1,
  });
  const safety = composeSafety(config, stores, log);
  const reads = readInTurns({ ...stores.qrs, ...stores.codeLists });
  const codeStore = { ...stores.qrs, searchBatch: reads.searchBatch };
  const codeLists = { ...stores.codeLists, slice: reads.slice };
  const { admission, createThrottle } = limits;
  const { qrs, runner, bulkEditRunner, scheduleRunner, ...codes } = composeCodes(config, {
    stores: { ...stores, qrs: codeStore },
    rendererFor: renderer.for,
    readTable: renderer.files.readTable,
    safety,
    servedPrefixes,
    concurrency: workers - 1,
    log,
  });
  const api = createApi({
    qrs,
    access: createAccess({ keys, admission, clock }),
    clock,
    baseUrl: `${config.publicUrl}/api/v1`,
    renderer: rendererIdentity,
    rejectsWrites: health.rejectsWrites,
  });
  const passwords = createPasswordQueue();
  const secondFactors = createSecondFactors({
    activity: stores.activity,
    store: stores.secondFactors,
    box: secretBox,
    clock,
    randomBytes,
  });
  const signInLinks = createSignInLinks({
    store: stores.signInLinks,
    passwords,
    clock,
    randomBytes,
  });
  const steps = createSignInSteps({ store: stores.signInSteps, clock, randomBytes });
  const signIn = createSignIn({
    store: stores.credentials,
    steps,
    secondFactors,
    passwords,
    hasPasswords: config.passwords,
    createThrottle,
    clock,
    randomBytes,
  });
  // Not in a render worker, whose queue would delay the page.
  const drawSymbol = async (text: string) =>
    svgOf(pictureOf(text, plainDesign, printMatrixOf(text, true)));
  const { sheetPrinterFor: printerFor } = renderer;
  const printing = { store: codeStore, designs, printerFor, symbolSide, clock };
  const runs = createBackgroundRuns(clock);
  const panel = createPanel({
    qrs,
    ...codes,
    insights: createQrInsights({ store: codeStore, designs, clock, symbolSide }),
    lists: createCodeLists({ lists: codeLists, qrs: codeStore, clock }),
    periodLists: createPeriodLists({ lists: codeLists, qrs: codeStore, clock, runs }),
    overviews: createOverviews({ store: stores.overview, clock, runs }),
    sheets: createSheets(printing),
    pictures: createCodePictures({ designs, rendererFor: renderer.for }),
    archives: createArchives({ ...printing, rendererFor: renderer.for }),
    keptPictures: createPictures({ store: stores.pictures, clock }),
    designs: createDefaultDesigns({
      designs,
      rendererFor: renderer.for,
      clock,
      sampleLink: sampleShortLink(config),
    }),
    activity: createAccountActivity({ store: stores.activity, clock }),
    signInNotices: createSignInNotices({
      credentials: stores.credentials,
      activity: stores.activity,
      clock,
    }),
    apiKeys: createApiKeys({ keys, admission, clock, randomBytes, prefix: config.keyPrefix }),
    sessions: createSessions({
      store: stores.sessions,
      clock,
      hasPasswords: config.passwords,
    }),
    signIn,
    signInLinks,
    identities: createIdentities({
      provider: composeProvider(config),
      store: stores.identities,
      credentials: stores.credentials,
      steps,
      links: stores.signInLinks,
      signIn,
      hasPasswords: config.passwords,
      signsUp: config.oidcSignUp,
      clock,
      randomBytes,
    }),
    hasPasswords: config.passwords,
    secondFactors,
    drawSymbol,
    safety: composeSafetyAdmin(stores, safety, servedPrefixes),
    accounts: stores.accounts,
    people: createPeople({ store: stores.people, passwords, clock, randomBytes }),
    deletion: createAccountDeletion({ ...stores, clock, sleep: Bun.sleep }),
    domains: composeDomains(config, stores.domains, runs),
    lastBackupMs: storage.lastBackupMs,
    turns: createPanelTurns(),
    clientAddress: createClientAddress(config.trustProxy, isSocketPath(config.host)),
    clock,
    randomBytes,
    // Copies that share no key show a message only if the next page comes from the same copy.
    messageKey: config.secretKey ?? newToken(randomBytes),
    publicUrl: config.publicUrl,
    shortUrl: config.shortUrl,
    searchTerm: composeSearchTerm(config, stores.domains),
    rateLimit: config.rateLimit,
    rejectsWrites: health.rejectsWrites,
    health: () => joinReports(redirectReport(), health.read()),
  });
  const knownLists = lastKnown(() => listAges(stores, clock.nowMs()));
  const knownBackup = lastKnown(storage.lastBackupMs);
  const pages = createPublicPages({
    api,
    metrics: {
      read: async () => ({
        app: {
          responses: responses.read(),
          conditions: health.read().conditions,
          process: readProcess(),
          work: {
            safety: safety.status().checks,
            lists: (await knownLists()) ?? [],
            rendering: renderer.load(),
          },
        },
        sizes: await orNull(storage.sizes),
        nowMs: clock.nowMs(),
        lastBackupMs: await knownBackup(),
      }),
    },
    addresses: config,
    drawCode: drawSymbol,
    isSignedIn: (request) => hasSessionCookie(request, config.publicUrl),
  });
  health.add({
    name: 'safe_browsing_incomplete',
    severity: 'warning',
    check: () => safety.status().warnings,
  });
  const stopOperatorsWatch = watchOperators(config, stores.accounts, health);
  const stopRechecks = startRechecks(stores, safety, log, exclusively);
  const stopBackups = startBackups(config, { health, log, exclusively });
  const stopRetention = startActivityRetention(stores, log);
  const stopBatches = startBatches([runner, bulkEditRunner]);
  const stopLoopCheck = startLoopCheck(stores, servedPrefixes, { health, log });
  const stopSchedule = startSchedule(scheduleRunner, codes.schedule, log);
  const stopRendering = async () => {
    const stopped = stopBatches();
    await renderer.close();
    await stopped;
  };

  return {
    api,
    panel: panel.fetch,
    pages: pages.fetch,
    /** Issues the one-time link that creates the first account, or returns null if there is one. */
    firstLink: async (): Promise<string | null> => {
      if (await createFirstAccount(config, stores.accounts, clock.nowMs())) return null;
      const token = await signInLinks.issueFirst();
      return token === null ? null : `${config.publicUrl}/account/link/${token}`;
    },
    /** Rejects queued and new render jobs. Batches continue at the next start. */
    stopRendering,
    /** Ends workers and timers. The database stays open. */
    close: async () => {
      await stopRendering();
      await stopSchedule();
      stopOperatorsWatch();
      stopRechecks();
      stopLoopCheck();
      stopBackups();
      stopRetention();
      limits.close();
    },
  } satisfies App & Record<string, unknown>;
}

// A scrape that takes longer is not answered in time.
const readingMs = 80;

/** Returns a function that reads a value, or returns the last one, or null, where that fails or takes long. */
function lastKnown<T>(read: () => Promise<T>): () => Promise<T | null> {
  let known: T | null = null;
  return async () => {
    const reading = read().then((value) => {
      known = value;
    });
    await Promise.race([reading, pause(readingMs)]).catch(() => {});
    return known;
  };
}
