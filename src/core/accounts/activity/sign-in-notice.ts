import type { Clock } from '../../ports.ts';
import type { CredentialStore } from '../ports.ts';
import { hashToken, isToken } from '../session.ts';
import type { ActivityStore } from './ports.ts';

/** What happened in an account of what a thief would do, since a browser has signed in last. */
export interface SignInNotice {
  /** Wrong codes of the second factor. */
  readonly wrongCodes: number;
  /** One-time links to sign in. */
  readonly links: number;
  readonly keys: number;
  /** Changes of the e-mail address. */
  readonly emails: number;
  /** Names of other browsers that signed in for the first time. */
  readonly browsers: readonly string[];
}

// A page of them. Who guesses codes gets 340 tries in a month.
const maxEntries = 400;

export type SignInNotices = ReturnType<typeof createSignInNotices>;

/** Tells at a sign-in what its owner may not know. */
export function createSignInNotices(deps: {
  credentials: Pick<CredentialStore, 'browserSinceMs'>;
  activity: Pick<ActivityStore, 'add' | 'page'>;
  clock: Pick<Clock, 'nowMs'>;
}) {
  const { credentials, activity, clock } = deps;
  return {
    /**
     * Returns what happened since the last sign-in, and records the browser if it is new.
     * For a known browser that is its own last sign-in, for another one the last of the account: so a thief who has
     * seen the notice has not hidden it. Null if nothing happened, or if there was no sign-in before.
     *
     * @param browser the token that it had before
     */
    ofSignIn: async (
      accountId: number,
      browser: string | null,
      device: string,
    ): Promise<SignInNotice | null> => {
      const knownMs =
        browser !== null && isToken(browser)
          ? await credentials.browserSinceMs(hashToken(browser), accountId)
          : null;
      const { entries } = await activity.page(accountId, { topic: 'people' }, null, maxEntries);
      const [, ...earlierSignIns] = entries.filter(({ kind }) => kind === 'signed-in');
      const sinceMs = knownMs ?? earlierSignIns[0]?.atMs ?? null;
      if (sinceMs === null) return null;
      const recent = entries.filter(({ atMs }) => atMs > sinceMs);
      const count = (kind: (typeof recent)[number]['kind']) =>
        recent.filter((entry) => entry.kind === kind).length;
      const notice = {
        wrongCodes: count('second-factor-failed'),
        links: count('sign-in-link-made'),
        keys: count('key-made'),
        emails: count('email-changed'),
        browsers: recent.flatMap(({ kind, after }) =>
          kind === 'browser-added' ? [after ?? ''] : [],
        ),
      };
      if (knownMs === null) {
        const by = { kind: 'person', accountId } as const;
        await activity.add(
          { accountId, by },
          { kind: 'browser-added', after: device },
          clock.nowMs(),
        );
      }
      const { wrongCodes, links, keys, emails, browsers } = notice;
      return wrongCodes + links + keys + emails + browsers.length === 0 ? null : notice;
    },
  };
}
