/** @jsxImportSource preact */
import {
  activityDays,
  parseActor,
  storedActor,
  topics,
} from '../../core/accounts/activity/activity.ts';
import type { ActivityEntry, ActivityFilter } from '../../core/accounts/activity/ports.ts';
import { parseCodeOrPath } from '../../core/codes/code.ts';
import { textMatcher } from '../../core/codes/lists/search.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { csvLine } from '../../lib/csv.ts';
import { activitySentence } from '../../sentences/activity.ts';
import { codePath, titleOf } from '../codes/code-label.tsx';
import type { PanelDeps } from '../request/deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { csvResponse } from '../routing/downloads.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page } from '../routing/responses.tsx';
import { editor, type Route } from '../routing/route.ts';
import { ActivityList, actorName, entryDetail } from '../ui/activity-list.tsx';
import { Crumb } from '../ui/cards.tsx';
import { PageHead, SearchField, Time } from '../ui/components.tsx';
import { QuerySelect } from '../ui/fields.tsx';
import { formatDateTime } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import { ButtonLink, Link, Submit, TextLink } from '../ui/page-context.tsx';

export const activityPath = '/account/activity';

const entriesPerPage = 50;
const maxSearchLength = 200;
/** Persons and keys that the filter offers. */
const shownActors = 100;
/** Lines of the table: what spreadsheets open. */
const maxLines = 100_000;

/** Creates the routes of the activity of an account. */
export function activityRoutes({ activity, qrs }: PanelDeps): Route[] {
  /** Reads what the query selects. @throws PanelError 404 for another value, ApiError for an unknown code */
  const readQuery = async ({ accountId, url: { searchParams } }: SignedInContext) => {
    const get = (name: string) => searchParams.get(name) || null;
    const [code, who, kind, before] = [get('code'), get('by'), get('kind'), get('before')];
    const qr = code === null ? null : await qrs.get(accountId, parseCodeOrPath(code));
    const by = who === null ? undefined : parseActor(who);
    const topic = kind === null ? undefined : topics.find((one) => one === kind);
    const isUnknown = by === null || (kind !== null && topic === undefined);
    if (isUnknown || (before !== null && !/^\d{1,15}$/.test(before))) throw pageNotFound();
    const filter: ActivityFilter =
      qr === null
        ? { ...(by !== undefined && { by }), ...(topic !== undefined && { topic }) }
        : { qrId: qr.id };
    const search = (searchParams.get('q') ?? '').trim().slice(0, maxSearchLength);
    return { qr, filter, search, before: before === null ? null : Number(before) };
  };

  const show = async (context: SignedInContext) => {
    const { accountId, session, url } = context;
    const { qr, filter, search, before } = await readQuery(context);
    const ownId = session.person.id;
    const { entries, next, searchedMs } =
      search === ''
        ? { ...(await activity.page(accountId, filter, before, entriesPerPage)), searchedMs: null }
        : await activity.search(
            accountId,
            filter,
            before,
            entriesPerPage,
            matcher(search, ownId, context.texts),
          );
    const actors = qr === null ? await activity.actors(accountId, shownActors) : [];
    const { texts } = context;
    const { activity: t } = texts;
    const query = new URLSearchParams([...url.searchParams].filter(([, value]) => value !== ''));
    const pathWith = (last: string | null) => {
      const other = new URLSearchParams(query);
      other.delete('before');
      if (last !== null) other.set('before', last);
      return other.size === 0 ? activityPath : `${activityPath}?${other}`;
    };
    return page(
      context,
      texts.common.activity,
      <>
        <Crumb
          above={
            qr === null
              ? [['/account/settings', texts.common.settings]]
              : [
                  ['/account/codes', texts.pages.codes],
                  [codePath(qr.code), titleOf(qr)],
                ]
          }
        >
          {texts.common.activity}
        </Crumb>
        <PageHead title={texts.common.activity}>
          <ButtonLink
            to={pathWith(null).replace(activityPath, `${activityPath}.csv`)}
            icon="download"
            download
          >
            CSV
          </ButtonLink>
        </PageHead>
        {qr === null && (
          <search>
            <form class="tools" data-filters>
              <SearchField label={t.search} value={search} maxLength={maxSearchLength} />
              <QuerySelect
                name="by"
                label={t.person}
                options={[
                  { value: '', text: t.everybody },
                  ...actors.map((actor) => ({
                    value: storedActor(actor.by),
                    text: actorName(actor, ownId, texts),
                  })),
                ]}
              />
              <QuerySelect
                name="kind"
                label={t.kind}
                options={[
                  { value: '', text: t.everyKind },
                  ...topics.map((topic) => ({ value: topic, text: t.topic({ topic }) })),
                ]}
              />
              <Submit class="button no-script">{t.apply}</Submit>
            </form>
          </search>
        )}
        <section
          class="card"
          aria-label={t.whatHappened}
          id="list"
          data-found={
            entries.length === 0
              ? t.noneFound
              : next === null
                ? t.found({ entries: entries.length })
                : t.firstFound({ entries: entries.length })
          }
        >
          {entries.length === 0 ? (
            <p class="pad">
              {search === '' ? t.nothing : t.noMatch({ search: <bdi>{search}</bdi> })}{' '}
              {query.size > 0 && <TextLink to={activityPath}>{t.all}</TextLink>}
            </p>
          ) : (
            <ActivityList entries={entries} codePath={codePath} />
          )}
          <nav class="pages" aria-label={t.pages}>
            <span class="small soft">
              {searchedMs === null
                ? t.kept({ days: activityDays })
                : t.searchedBack({ time: <Time ms={searchedMs} format={formatDateTime} /> })}
            </span>
            <span class="grow" />
            {before !== null && (
              <Link class="button small" to={pathWith(null)}>
                {t.newest}
              </Link>
            )}
            {next !== null && (
              <Link class="button small" to={pathWith(String(next))}>
                {searchedMs === null ? t.older : t.searchOn}
                <Icon name="next" />
              </Link>
            )}
          </nav>
        </section>
      </>,
    );
  };

  return [
    editor.get(activityPath, show),
    editor.get(`${activityPath}.csv`, async (context) => {
      const { filter, search } = await readQuery(context);
      const entries = activity.since(context.accountId, filter, Number.NEGATIVE_INFINITY, maxLines);
      const { texts, session } = context;
      const matches = search === '' ? () => true : matcher(search, session.person.id, texts);
      return csvResponse(tableOf(entries, matches, texts), context, 'activity');
    }),
  ];
}

/** Creates a test whether what is shown of an entry contains a text. */
function matcher(search: string, ownId: number, said: Texts): (entry: ActivityEntry) => boolean {
  const contains = textMatcher(search);
  return (entry) => {
    const { code, email } = entry;
    const who = actorName(entry, ownId, said);
    const named = code && (code.name ?? code.code);
    const sentence = activitySentence(entry, { who, code: named, written: String }, said).join('');
    const texts = [sentence, email, code?.code, entryDetail(entry, said)];
    return texts.some((text) => text != null && contains(text));
  };
}

async function* tableOf(
  entries: AsyncIterable<ActivityEntry>,
  matches: (entry: ActivityEntry) => boolean,
  said: Texts,
): AsyncGenerator<string> {
  yield csvLine(['at', 'by', 'kind', 'code', 'object', 'before', 'after', 'codes']);
  for await (const entry of entries) {
    if (!matches(entry)) continue;
    yield csvLine([
      isoTimestamp(entry.atMs),
      entry.by.kind === 'person' && entry.email !== null
        ? entry.email
        : actorName(entry, undefined, said),
      ...[entry.kind, entry.code?.code ?? '', entry.subject ?? ''],
      ...[entry.before ?? '', entry.after ?? '', String(entry.count ?? '')],
    ]);
  }
}
