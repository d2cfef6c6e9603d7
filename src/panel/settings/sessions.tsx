/** @jsxImportSource preact */
import type { ListedSession } from '../../core/accounts/ports.ts';
import {
  hashToken,
  newToken,
  sessionIdleLimitMs,
  sessionMaxAgeMs,
} from '../../core/accounts/session.ts';
import type { PanelDeps } from '../request/deps.ts';
import { sayDevice } from '../request/device.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { person, type Route } from '../routing/route.ts';
import { Crumb } from '../ui/cards.tsx';
import { PageHead, RelativeTime, Time } from '../ui/components.tsx';
import { Setting } from '../ui/groups.tsx';
import { ButtonLink, PostButton, useTexts } from '../ui/page-context.tsx';

const path = '/account/settings/sessions';

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
    person.get(path, async (context) => {
      const { title } = context.texts.sessions;
      return page(
        context,
        title,
        <>
          <Crumb above={[['/account/settings', context.texts.common.settings]]}>{title}</Crumb>
          <PageHead title={title} />
          <SessionList
            sessions={await listSessions({ sessions }, context)}
            ownToken={context.sessionToken}
          />
        </>,
      );
    }),
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
  const { sessions: t } = useTexts();
  return (
    <section class="card" aria-label={t.title}>
      <ul class="list">
        {sessions.slice(0, maxListedSessions).map((session) => (
          <SessionLine key={session.hash} session={session} isOwn={session.hash === own} />
        ))}
      </ul>
      <div class="pad stack tight">
        {hasMore && <p class="hint">{t.thereAreMore}</p>}
        {sessions.length > 1 && (
          <PostButton to={`${path}/end-others`} class="button">
            {t.endOthers}
          </PostButton>
        )}
        <p class="hint">
          {t.howLong({
            hours: sessionIdleLimitMs / 3_600_000,
            days: sessionMaxAgeMs / 86_400_000,
          })}
        </p>
      </div>
    </section>
  );
}

interface SessionLineProps {
  readonly session: ListedSession;
  /** Whether it is that of the request. */
  readonly isOwn: boolean;
}

function SessionLine({ session, isOwn }: SessionLineProps) {
  const { hash, device, createdAtMs, lastSeenAtMs } = session;
  const texts = useTexts();
  const { sessions: t } = texts;
  const date = <Time ms={createdAtMs} />;
  const name = sayDevice(device, texts);
  return (
    <li>
      <div>
        <b>{name}</b>
        <span class="hint">
          {isOwn
            ? t.since({ date })
            : t.sinceAndUsed({ date, when: <RelativeTime ms={lastSeenAtMs} /> })}
        </span>
      </div>
      {isOwn ? (
        <span class="pill plain">{t.thisOne}</span>
      ) : (
        <PostButton
          to={`${path}/end`}
          values={{ session: hash }}
          class="button small"
          aria-label={device === '' ? t.endUnknown : t.endThatOf({ device: name })}
        >
          {t.end}
        </PostButton>
      )}
    </li>
  );
}

/** Renders the line of the settings that leads to the sessions. */
export function SessionsSetting({ sessions, ownToken }: SessionsProps) {
  const own = hashToken(ownToken);
  const others = sessions.filter(({ hash }) => hash !== own);
  const hasMore = sessions.length > maxListedSessions;
  const { sessions: t } = useTexts();
  return (
    <Setting
      name={
        hasMore ? t.moreThan({ devices: maxListedSessions }) : t.count({ devices: sessions.length })
      }
      text={<OwnAndOthers others={others} />}
    >
      <ButtonLink to={path} class="button small">
        {t.see({ devices: sessions.length })}
      </ButtonLink>
    </Setting>
  );
}

/** Says where else somebody is signed in: two by their names, because the page has all. */
function OwnAndOthers({ others: [first, second, ...more] }: { others: readonly ListedSession[] }) {
  const texts = useTexts();
  const { sessions: t } = texts;
  if (first === undefined) return <>{t.thisOne}</>;
  const used = ({ lastSeenAtMs }: ListedSession) => <RelativeTime ms={lastSeenAtMs} />;
  const name = ({ device }: ListedSession) => sayDevice(device, texts);
  if (second === undefined) return <>{t.thisAndOne({ device: name(first), when: used(first) })}</>;
  const values = {
    first: name(first),
    firstUsed: used(first),
    second: name(second),
    secondUsed: used(second),
  };
  return <>{more.length === 0 ? t.thisAndTwo(values) : t.thisAndOthers(values)}</>;
}
