/** @jsxImportSource preact */
import type { ListedSession } from '../../core/accounts/ports.ts';
import {
  hashToken,
  newToken,
  sessionIdleLimitMs,
  sessionMaxAgeMs,
} from '../../core/accounts/session.ts';
import { formatCount, plural } from '../../lib/numbers.ts';
import type { PanelDeps } from '../request/deps.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { person, type Route } from '../routing/route.ts';
import { Crumb } from '../ui/cards.tsx';
import { PageHead, RelativeTime, Time } from '../ui/components.tsx';
import { Setting } from '../ui/groups.tsx';
import { ButtonLink, PostButton } from '../ui/page-context.tsx';

const path = '/account/settings/sessions';
const title = 'Where you are signed in';

/** More are ended together. */
const maxListedSessions = 20;

/** Returns the sessions of the own account that are shown, and one more if there are more. */
export function listSessions(
  { sessions }: Pick<PanelDeps, 'sessions'>,
  { session }: PersonContext,
): Promise<readonly ListedSession[]> {
  return sessions.list(session.person.id, maxListedSessions + 1);
}

/** Creates the routes that show and end sessions of the own account. */
export function sessionRoutes({ sessions, randomBytes }: PanelDeps): Route[] {
  return [
    person.get(path, async (context) =>
      page(
        context,
        title,
        <>
          <Crumb above={[['/account/settings', 'Settings']]}>{title}</Crumb>
          <PageHead title={title} />
          <SessionList
            sessions={await listSessions({ sessions }, context)}
            ownToken={context.sessionToken}
          />
        </>,
      ),
    ),
    person.post(`${path}/end`, async (context, form) => {
      await sessions.endOne(context.session.person.id, form.text('session'));
      audit(context, 'session ended');
      return redirectTo(context, path, { kind: 'oneSessionEnded' });
    }),
    person.post(`${path}/end-others`, async (context) => {
      await sessions.endOthers(context.actingOnSelf, {
        session: context.sessionToken,
        trustedBrowser: context.trustedBrowser ?? newToken(randomBytes),
      });
      audit(context, 'other sessions ended');
      return redirectTo(context, path, { kind: 'otherSessionsEnded' });
    }),
  ];
}

interface SessionsProps {
  /** At most {@link maxListedSessions} and one, the one used last first. */
  readonly sessions: readonly ListedSession[];
  readonly ownToken: string;
}

/** Renders the list of sessions of the own account. */
function SessionList({ sessions, ownToken }: SessionsProps) {
  const own = hashToken(ownToken);
  const hasMore = sessions.length > maxListedSessions;
  return (
    <section class="card" aria-label={title}>
      <ul class="list">
        {sessions.slice(0, maxListedSessions).map(({ hash, device, createdAtMs, lastSeenAtMs }) => (
          <li key={hash}>
            <div>
              <b>{nameOf(device)}</b>
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
      <div class="pad stack tight">
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
      </div>
    </section>
  );
}

const nameOf = (device: string): string => device || 'Unknown browser';

// The page has all.
const namedDevices = 2;

/** Renders the line of the settings that leads to the sessions. */
export function SessionsSetting({ sessions, ownToken }: SessionsProps) {
  const own = hashToken(ownToken);
  const others = sessions.filter(({ hash }) => hash !== own).slice(0, namedDevices);
  const hasMore = sessions.length > maxListedSessions;
  return (
    <Setting
      name={
        hasMore ? `More than ${maxListedSessions} devices` : formatCount(sessions.length, 'device')
      }
      text={[
        'This one',
        ...others.map(({ hash, device, lastSeenAtMs }) => [
          ', ',
          nameOf(device),
          ' ',
          <RelativeTime key={hash} ms={lastSeenAtMs} />,
        ]),
        sessions.length > others.length + 1 && ', and others',
      ]}
    >
      <ButtonLink to={path} class="button small">
        {plural(sessions.length, 'See it', 'See them')}
      </ButtonLink>
    </Setting>
  );
}
