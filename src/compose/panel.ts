import type { Config } from '../config.ts';
import { makeApiKeys } from '../core/api-keys.ts';
import { makeDefaultDesigns } from '../core/default-design.ts';
import { nextTurn } from '../core/next-turn.ts';
import { makeOperators } from '../core/operators.ts';
import type {
  Clock,
  DesignStore,
  QrStore,
  RandomBytes,
  RateLimiter,
  Renderer,
} from '../core/ports.ts';
import { makeQrInsights } from '../core/qr-insight.ts';
import { makeQrSearch } from '../core/qr-search.ts';
import { type Qrs, sampleLink } from '../core/qrs.ts';
import type { SafetyAdmin } from '../core/safety-admin.ts';
import { makeSessions } from '../core/session.ts';
import { makeSignIn } from '../core/sign-in.ts';
import { makeSignInLinks } from '../core/sign-in-link.ts';
import type { ClientAddress } from '../panel/client-address.ts';
import { makePanel } from '../panel/panel.ts';
import { makeAccountDirectory } from '../sqlite/account-directory.ts';
import { makeAccountStore } from '../sqlite/accounts.ts';
import { makeCredentialStore } from '../sqlite/credentials.ts';
import { makeGivingWay } from '../sqlite/give-way.ts';
import type { SqliteKeyStore } from '../sqlite/keys.ts';
import type { Store } from '../sqlite/open.ts';
import { makeQrWalk } from '../sqlite/qr-walk.ts';
import type { SqliteScanLog } from '../sqlite/scan-log.ts';
import { makeSessionStore } from '../sqlite/sessions.ts';
import { makeSignInLinkStore } from '../sqlite/sign-in-links.ts';
import { makeTotalsReader } from '../sqlite/totals.ts';

/** Joins the account panel out of the server's parts. */
export function composePanel(
  config: Config,
  world: {
    store: Store;
    scanLog: SqliteScanLog;
    qrStore: QrStore;
    designs: DesignStore;
    keys: SqliteKeyStore;
    rate: RateLimiter;
    renderer: Renderer;
    qrs: Qrs;
    safety: SafetyAdmin;
    shortBases: readonly string[];
    clientAddress: ClientAddress;
    clock: Clock;
    randomBytes: RandomBytes;
  },
) {
  const { store, scanLog, qrStore, designs, keys, rate, renderer } = world;
  const { qrs, safety, shortBases, clientAddress, clock, randomBytes } = world;
  const { publicUrl, rateLimit, keyPrefix } = config;
  const accounts = makeAccountStore(store, keys);
  const sessions = makeSessions({ store: makeSessionStore(store), clock });
  const signIn = makeSignIn({ store: makeCredentialStore(store), clock, randomBytes });
  const links = makeSignInLinks({ store: makeSignInLinkStore(store), clock, randomBytes });
  const walk = makeQrWalk(store, scanLog);
  const panel = makePanel({
    qrs,
    insights: makeQrInsights({
      store: qrStore,
      walk,
      designs,
      clock,
      givingWay: makeGivingWay(),
    }),
    search: makeQrSearch({
      searcher: walk,
      pause: nextTurn,
    }),
    designs: makeDefaultDesigns({ designs, renderer, clock, sampleLink: sampleLink(config) }),
    apiKeys: makeApiKeys({ keys, rate, clock, randomBytes, prefix: keyPrefix }),
    sessions,
    signIn,
    links,
    safety,
    operators: makeOperators({
      accounts,
      directory: makeAccountDirectory(store),
      totals: makeTotalsReader(store),
      clock,
    }),
    clientAddress,
    clock,
    randomBytes,
    publicUrl,
    shortBases,
    rateLimit,
  });
  return {
    panel,
    /** The one-time link that makes the first account, or null when there is an account. */
    firstLink: async (): Promise<string | null> => {
      const token = await links.createFirst();
      return token === null ? null : `${publicUrl}/account/link/${token}`;
    },
  };
}
