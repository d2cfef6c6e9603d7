import type { Config } from '../config.ts';
import { createApiKeys } from '../core/accounts/api-key.ts';
import { createOperators } from '../core/accounts/operators.ts';
import { createSessions } from '../core/accounts/session.ts';
import { createSignIn } from '../core/accounts/sign-in.ts';
import { createSignInLinks } from '../core/accounts/sign-in-link.ts';
import { createQrInsights } from '../core/codes/insight.ts';
import type { Qrs } from '../core/codes/qrs.ts';
import { createQrSearch } from '../core/codes/search.ts';
import { sampleShortLink } from '../core/codes/short-url.ts';
import { createDefaultDesigns } from '../core/designs/default-design.ts';
import type {
  Clock,
  DesignStore,
  QrStore,
  RandomBytes,
  RateLimiter,
  Renderer,
} from '../core/ports.ts';
import type { SafetyAdmin } from '../core/safety/admin.ts';
import { createPanel } from '../panel/panel.ts';
import type { ClientAddress } from '../panel/routing/client-address.ts';
import { createAccountStore } from '../sqlite/accounts/accounts.ts';
import type { SqliteKeyStore } from '../sqlite/accounts/api-keys.ts';
import { createCredentialStore } from '../sqlite/accounts/credentials.ts';
import { createAccountDirectory } from '../sqlite/accounts/operators.ts';
import { createSessionStore } from '../sqlite/accounts/sessions.ts';
import { createSignInLinkStore } from '../sqlite/accounts/sign-in-links.ts';
import { createQrBatchReader } from '../sqlite/codes/search.ts';
import type { Store } from '../sqlite/database/open.ts';
import type { SqliteScanLog } from '../sqlite/scans/log.ts';

/** Creates the account panel. */
export function composePanel(
  config: Config,
  deps: {
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
  const { store, scanLog, qrStore, designs, keys, rate, renderer } = deps;
  const { qrs, safety, shortBases, clientAddress, clock, randomBytes } = deps;
  const { publicUrl, rateLimit, keyPrefix } = config;
  const accounts = createAccountStore(store, keys);
  const sessions = createSessions({ store: createSessionStore(store), clock });
  const signIn = createSignIn({ store: createCredentialStore(store), clock, randomBytes });
  const links = createSignInLinks({ store: createSignInLinkStore(store), clock, randomBytes });
  const reader = createQrBatchReader(store, scanLog);
  const panel = createPanel({
    qrs,
    insights: createQrInsights({
      store: qrStore,
      reader,
      designs,
      clock,
    }),
    search: createQrSearch(reader),
    designs: createDefaultDesigns({
      designs,
      renderer,
      clock,
      sampleLink: sampleShortLink(config),
    }),
    apiKeys: createApiKeys({ keys, rate, clock, randomBytes, prefix: keyPrefix }),
    sessions,
    signIn,
    links,
    safety,
    operators: createOperators({
      accounts,
      directory: createAccountDirectory(store),
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
    /** Issues the one-time link to create the first account. Null if there is an account. */
    firstLink: async (): Promise<string | null> => {
      const token = await links.issueFirst();
      return token === null ? null : `${publicUrl}/account/link/${token}`;
    },
  };
}
