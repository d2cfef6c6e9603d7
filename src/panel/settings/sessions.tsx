/** @jsxImportSource preact */
import type { ListedSession } from '../../core/accounts/ports.ts';
import {
  hashToken,
  newToken,
  sessionIdleLimitMs,
  sessionMaxAgeMs,
} from '../../core/accounts/session.ts';
import type { PanelDeps } from '../request/deps.ts';
import { audit } from '../request/request.ts';
import { redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Card } from '../ui/cards.tsx';
import { RelativeTime, Time } from '../ui/components.tsx';
import { PostButton } from '../ui/page-context.tsx';

const path = '/account/settings/sessions';

/** Creates the routes that end sessions of the own account. */
export function sessionRoutes({ sessions, randomBytes }: PanelDeps): Route[] {
  return [
    signedIn.post(`${path}/end`, async (context, form) => {
      await sessions.endOne(context.accountId, form.text('session'));
      audit(context, 'session ended');
      return redirectTo(context, '/account/settings', { kind: 'oneSessionEnded' });
    }),
    signedIn.post(`${path}/end-others`, async (context) => {
      await sessions.endOthers(context.accountId, {
        session: context.sessionToken,
        trustedBrowser: context.trustedBrowser ?? newToken(randomBytes),
      });
      audit(context, 'other sessions ended');
      return redirectTo(context, '/account/settings', { kind: 'otherSessionsEnded' });
    }),
  ];
}

interface SessionsProps {
  /** At most {@link maxListedSessions} and one. */
  readonly sessions: readonly ListedSession[];
  readonly ownToken: string;
}

/** More are ended together. */
export const maxListedSessions = 20;

/** The list of sessions of the own account. */
export function SessionsCard({ sessions, ownToken }: SessionsProps) {
  const own = hashToken(ownToken);
  const hasMore = sessions.length > maxListedSessions;
  return (
    <Card title="Where you are signed in" id="sessions">
      <ul class="list">
        {sessions.slice(0, maxListedSessions).map(({ hash, device, createdAtMs, lastSeenAtMs }) => (
          <li key={hash}>
            <div>
              <b>{device || 'Unknown browser'}</b>
              <span class="hint">
                since <Time ms={createdAtMs} />
                {hash !== own && [', used ', <RelativeTime key="used" ms={lastSeenAtMs} />]}
              </span>
            </div>
            {hash === own ? (
              <span class="pill plain">This one</span>
            ) : (
              <PostButton
                to={`${path}/end`}
                values={{ session: hash }}
                class="button small"
                aria-label={`End the session of ${device || 'an unknown browser'}`}
              >
                End
              </PostButton>
            )}
          </li>
        ))}
      </ul>
      {hasMore && <p class="hint">There are more, which were used longer ago.</p>}
      {sessions.length > 1 && (
        <PostButton to={`${path}/end-others`} class="button">
          End all others
        </PostButton>
      )}
      <p class="hint">
        A session ends after {sessionIdleLimitMs / 3_600_000} hours without use, and after{' '}
        {sessionMaxAgeMs / 86_400_000} days at the latest.
      </p>
    </Card>
  );
}
