import { createAccess } from '../../src/core/accounts/access.ts';
import { createLinkFollower } from '../../src/core/codes/follow.ts';
import type { Qrs } from '../../src/core/codes/qrs.ts';
import type { Clock } from '../../src/core/ports.ts';
import { createApi } from '../../src/http/api/api.ts';
import { createPublicPages } from '../../src/http/pages/public-pages.ts';
import { createResponseCounts } from '../../src/http/responses.ts';
import { createSite, type Site } from '../../src/http/site.ts';
import { createLogger } from '../../src/lib/logger.ts';

const clock: Clock = { nowMs: () => 0, monotonicMs: () => 0 };

/** Id of every request. */
export const requestId = '0123456789abcdef';

/** Fails like an adapter, with a message that no client may see. */
const broken = () => Promise.reject(new Error('/srv/secret.ts: SELECT hash FROM keys'));

/**
 * Creates the HTTP layer with a core in which every operation fails. Any key is valid.
 *
 * @param lines receives the log lines
 */
export function fakeSite(lines: string[] = []): Site {
  const log = createLogger('text', clock.nowMs, (line) => lines.push(line));
  const account = {
    id: 1,
    email: 'a@example.com',
    isOperator: false,
    planUntilMs: null,
    createdAtMs: 0,
  };
  const access = createAccess({
    clock,
    keys: {
      findAccount: async () => account,
      recordUse: () => {},
      replace: broken,
      revoke: broken,
      findByAccount: broken,
    },
    rate: {
      admit: async () => ({ admitted: true, limit: 60, remaining: 59, resetSeconds: 60 }),
      used: async () => 0,
    },
  });
  const qrs: Qrs = {
    create: broken,
    get: broken,
    imageSource: broken,
    list: broken,
    changeDestination: broken,
    setPaused: broken,
    image: broken,
  };
  const api = createApi({
    qrs,
    access,
    clock,
    baseUrl: 'https://qr.example.com/api/v1',
    rateLimit: 60,
    renderer: 'renderer',
  });
  const links = createLinkFollower({
    clock,
    links: { find: broken },
    scans: { record: broken },
    warnOfFlagged: true,
  });
  const responses = createResponseCounts();
  const publicUrl = 'https://qr.example.com';
  const pages = createPublicPages({
    api,
    responses,
    publicUrl,
    metrics: {
      version: '0.0.0',
      startMs: 0,
      read: () => {
        throw new Error('/srv/secret.ts: SELECT page_count FROM pragma_page_count');
      },
    },
  });
  return createSite({
    links,
    app: async () => ({ api, panel: broken, pages: pages.fetch }),
    health: () => ({ problems: [], warnings: [] }),
    responses,
    publicUrl,
    basePaths: [],
    log,
    newRequestId: () => requestId,
  });
}
