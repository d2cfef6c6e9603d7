/** @jsxImportSource preact */
import type { ActivityEntry } from '../../core/accounts/activity/ports.ts';
import type { Actor } from '../../core/ports.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { activityDetail, activitySentence } from '../../sentences/activity.ts';
import { sayDevice } from '../request/device.ts';
import { dateOf, formatDateTime, formatDay, formatTimeOfDay } from './formatting.ts';
import { Icon, type IconName } from './icons.tsx';
import { TextLink, useLocalTime, useTexts } from './page-context.tsx';

interface ActivityListProps {
  readonly entries: readonly ActivityEntry[];
  /** Returns the path of the page of a code; null on that page. */
  readonly codePath: ((code: string) => string) | null;
}

/** Entries of the activity, newest first, by day. */
export function ActivityList({ entries, codePath }: ActivityListProps) {
  const { zone } = useLocalTime('times');
  const byDay = Map.groupBy(entries, ({ atMs }) => dateOf(atMs, zone).toString());
  return (
    <ol class="log">
      {[...byDay].map(([day, ofDay]) => [
        <li key={day} class="day">
          <DayName day={Temporal.PlainDate.from(day)} />
        </li>,
        ...ofDay.map((entry) => <Entry key={entry.id} entry={entry} codePath={codePath} />),
      ])}
    </ol>
  );
}

/** `Today, Sat 28 Nov`, `Yesterday, Fri 27 Nov`, `Thu 26 Nov`, and with the year if it is another one. */
function DayName({ day }: { day: Temporal.PlainDate }) {
  const { nowMs, zone, texts } = useLocalTime('times');
  const today = dateOf(nowMs, zone);
  const days = today.since(day).days;
  const { activity: t } = texts;
  const date = formatDay(day, day.year === today.year ? 'weekday' : 'long', texts);
  return <>{days === 0 ? t.today({ date }) : days === 1 ? t.yesterday({ date }) : date}</>;
}

function Entry({
  entry,
  codePath,
}: Pick<ActivityListProps, 'codePath'> & { entry: ActivityEntry }) {
  const local = useLocalTime('times');
  const { by, email, code, atMs } = entry;
  const { texts } = local;
  const detail = entryDetail(entry, texts);
  const ownId = local.session?.person.id;
  const isOwnOperator = by.kind === 'operator' && by.accountId === ownId;
  const name = isOwnOperator ? texts.activity.youAsOperatorDid : actorName(entry, ownId, texts);
  const who = (
    <b key="who">
      <bdi>{name}</bdi>
    </b>
  );
  const about = code && <Code key="code" code={code} codePath={codePath} />;
  const icon = icons[by.kind];
  return (
    <li>
      <span class="avatar" aria-hidden="true">
        {icon === null ? (email?.charAt(0).toUpperCase() ?? '?') : <Icon name={icon} />}
      </span>
      <div>
        {activitySentence(entry, { who, code: about, written }, texts)}
        {detail !== null && (
          <span class="sub">
            <bdi>{detail}</bdi>
          </span>
        )}
      </div>
      <time dateTime={new Date(atMs).toISOString()} title={formatDateTime(atMs, local)}>
        {formatTimeOfDay(atMs, local)}
      </time>
    </li>
  );
}

/** A text that somebody wrote, in a sentence. */
const written = (text: string) => <bdi key={text}>{text}</bdi>;

/** The code that an entry is about. */
function Code({
  code,
  codePath,
}: Pick<ActivityListProps, 'codePath'> & { code: NonNullable<ActivityEntry['code']> }) {
  if (codePath === null) return <>{useTexts().activity.thisCode}</>;
  // Of a code that was given to nobody, only its address is left.
  if (!code.isOwn) return <>{code.code}</>;
  return (
    <TextLink to={codePath(code.code)}>
      <bdi>{code.name ?? code.code}</bdi>
    </TextLink>
  );
}

/** Null for a person, who has a letter. */
const icons: Readonly<Record<Actor['kind'], IconName | null>> = {
  person: null,
  key: 'key',
  command: 'settings',
  plan: 'clock',
  operator: 'safety',
};

/** Returns what else is known of an entry, with its browser in the language. */
export function entryDetail(entry: ActivityEntry, texts: Texts): string | null {
  const detail = activityDetail(entry, texts);
  const isBrowser = entry.kind === 'signed-in' || entry.kind === 'browser-added';
  return isBrowser && detail !== null ? sayDevice(detail, texts) : detail;
}

/** Returns the name of who did something. */
export function actorName(
  { by, email }: Pick<ActivityEntry, 'by' | 'email'>,
  ownId: number | undefined,
  { activity: t }: Texts,
): string {
  switch (by.kind) {
    case 'person':
      return by.accountId === ownId ? t.you : (email ?? t.personWhoLeft);
    case 'key':
      return t.apiKey({ end: by.lastFour });
    case 'operator':
      return by.accountId === ownId ? t.youAsOperator : t.operator;
    case 'plan':
      return t.plannedChange;
    case 'command':
      return t.command;
  }
}
