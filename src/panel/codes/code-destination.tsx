/** @jsxImportSource preact */
import type { ActivityPage } from '../../core/accounts/activity/ports.ts';
import type { QrInsight } from '../../core/codes/insight.ts';
import type { FormerDestination } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { ScheduledChange } from '../../core/codes/schedule/change.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import { withQuery } from '../../core/codes/urls/pass-query.ts';
import { typedAddress } from '../../core/codes/urls/short-url.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { accountName } from '../ui/account-menu.tsx';
import { ActivityList } from '../ui/activity-list.tsx';
import { Address, CopyButton, Notice, Time } from '../ui/components.tsx';
import { DialogActions, DialogPage } from '../ui/dialog.tsx';
import { formatDateTime, formatDestination, formatTime, formatUrl } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import {
  Link,
  PostButton,
  TextLink,
  useHasActivePlan,
  useMayEdit,
  useRequest,
  useTexts,
} from '../ui/page-context.tsx';
import { codePath } from './code-label.tsx';

interface DestinationProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
}

interface GoesProps extends DestinationProps {
  /** The next one first. */
  readonly planned: readonly ScheduledChange[];
}

/** Says who gets to the destination of a code. */
function whoGoes({ status, flag }: Qr, { destination: t }: Texts): string {
  if (status === 'blocked') return t.aboveAddressBlocked;
  if (status === 'paused') return t.aboveAddressPaused;
  return flag === null ? t.aboveAddress : t.aboveAddressFlagged;
}

/** Where the code leads, and its short link. */
export function Goes({ qr, insight, planned }: GoesProps) {
  const path = codePath(qr.code);
  const hasActivePlan = useHasActivePlan();
  const mayEdit = useMayEdit();
  const { session, texts } = useRequest();
  const t = texts.destination;
  const title = whoGoes(qr, texts);
  const { former, hasMoreFormer } = insight;
  const address = typedAddress(qr);
  const scheme = /^https?:\/\//i.exec(qr.shortLink)?.[0] ?? '';
  return (
    <section class="card pad stack tight goes" aria-label={title}>
      <h2 class="label">{title}</h2>
      <div class="row">
        <div class="lead grow">
          <Address url={formatDestination(qr.destination)} />
        </div>
        {hasActivePlan && (
          <Link
            class={qr.status === 'paused' ? 'button' : 'button primary'}
            to={`${path}/destination`}
            data-dialog
            data-shortcut="e"
          >
            {t.change}
          </Link>
        )}
        <a class="button" href={qr.destination} rel="noreferrer">
          {t.open}
          <Icon name="open" />
        </a>
      </div>
      {session !== null && !mayEdit && (
        <p class="small soft">{t.askEditor({ owner: <b>{accountName(session.entered)}</b> })}</p>
      )}
      {mayEdit && !hasActivePlan && <p class="hint">{t.needsPlan}</p>}
      <AsPlanned qr={qr} former={former[0]} next={planned[0]} />
      <hr class="rule" />
      <div class="row copyable">
        <span class="label">{t.shortLink}</span>
        <code class="short">
          <span class="hidden">{scheme}</span>
          {qr.shortLink.slice(scheme.length)}
        </code>
        <CopyButton label={t.copyShortLink} text={qr.shortLink} />
        <span class="grow" />
        <span class="small soft">
          {former.length === 0
            ? t.createdOn({ date: <Time ms={qr.createdAtMs} /> })
            : hasMoreFormer
              ? t.changedMore({ times: former.length })
              : t.changed({ times: former.length })}
          {' · '}
          <TextLink to={`${path}/history`} data-dialog>
            {t.history}
          </TextLink>
        </span>
      </div>
      {address !== null && (
        <div class="row copyable">
          <span class="label">{t.typedAddress}</span>
          <bdi class="short">{address}</bdi>
          <CopyButton label={t.copyTypedAddress} text={address} />
        </div>
      )}
      <PassQuery qr={qr} />
    </section>
  );
}

const exampleQuery = 'from=newsletter';

/** Says whether the query of a scanned address is added to the destination, with an example of the code's own. */
function PassQuery({ qr: { code, shortLink, destination, query } }: { readonly qr: Qr }) {
  const mayEdit = useMayEdit();
  const path = `${codePath(code)}/pass-query`;
  const { common, labels, passQuery: t } = useTexts();
  if (query === null && !mayEdit) return null;
  const opened = withQuery(destination, exampleQuery);
  return (
    <>
      <hr class="rule" />
      <div class="row">
        <div class="grow">
          <div class="row">
            <h3>{labels.query}</h3>
            {query === null ? (
              <span class="pill plain">{common.isOff}</span>
            ) : (
              <span class="pill good">{common.isOn}</span>
            )}
          </div>
          <p class="small soft">{query === null ? t.leavesOut : labels.queryHint}</p>
        </div>
        {mayEdit && (
          <PostButton
            to={path}
            values={{ query: query === null ? 'on' : 'off' }}
            class="button small"
          >
            {query === null ? t.switchOn : t.switchOff}
          </PostButton>
        )}
      </div>
      {query !== null && (
        <div class="small">
          <p>
            <span class="label">{t.exampleLink}</span>{' '}
            <bdi>{formatUrl(`${shortLink}?${exampleQuery}`)}</bdi>
          </p>
          <p>
            <span class="label">{t.exampleOpens}</span> <bdi>{formatUrl(opened)}</bdi>
          </p>
        </div>
      )}
    </>
  );
}

interface AsPlannedProps {
  readonly qr: Qr;
  /** The destination before. */
  readonly former: FormerDestination | undefined;
  readonly next: ScheduledChange | undefined;
}

/** Says that a planned change made the destination, with its undo, and what comes next. */
function AsPlanned({ qr, former, next }: AsPlannedProps) {
  const local = useRequest();
  const hasActivePlan = useHasActivePlan();
  const t = local.texts.destination;
  if (former === undefined || !former.isReplacedAsPlanned) return null;
  return (
    <div class="row">
      <span class="small soft note-line grow">
        <Icon name="clock" />
        <span>
          {t.sincePlanned({ time: <Time ms={former.untilMs} format={formatTime} /> })}
          {next?.nextMs && ` ${nextSentence(next, formatTime(next.nextMs, local), t)}`}
        </span>
      </span>
      {hasActivePlan && (
        <PostButton
          to={`${codePath(qr.code)}/destination`}
          values={{ url: former.destination }}
          class="button small"
          icon="undo"
        >
          {t.undo}
        </PostButton>
      )}
    </div>
  );
}

/** Says what comes next. */
function nextSentence(
  { action, destination }: ScheduledChange,
  time: string,
  t: Texts['destination'],
): string {
  if (destination !== null)
    return t.nextLeads({ time, address: formatUrl(formatDestination(destination)) });
  return action === 'pause' ? t.nextIsPaused({ time }) : t.nextIsResumed({ time });
}

/** Warns of a destination that phones cannot open. */
export function ReachNotice({ destination }: Pick<Qr, 'destination'>) {
  const url = URL.parse(destination);
  const reach = url === null ? 'anyone' : reachOf(url);
  const t = useTexts().destination;
  if (url === null || reach === 'anyone') return null;
  return reach === 'this machine' ? (
    <Notice kind="warn" title={t.phonesCannotOpen({ host: url.hostname })}>
      {t.isPhoneItself}
    </Notice>
  ) : (
    <Notice kind="warn" title={t.onlyYourNetwork({ host: url.hostname })}>
      {t.othersSeeError}
    </Notice>
  );
}

/** Earlier destinations as buttons that fill them in. */
export function UsedBefore({ former }: Pick<QrInsight, 'former'>) {
  const t = useTexts().destination;
  if (former.length === 0) return null;
  return (
    <fieldset class="field script-only">
      <legend class="legend">{t.usedBefore}</legend>
      <ul class="earlier">
        {former.map(({ destination, untilMs }) => (
          <li key={destination}>
            <button
              type="button"
              class="button small"
              data-fill="url"
              value={destination}
              dir="auto"
            >
              {formatUrl(formatDestination(destination))}
            </button>
            <span class="small soft">{t.until({ time: <Time ms={untilMs} /> })}</span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface HistoryProps extends DestinationProps {
  /** The newest entries of its activity; null for who may not see it. */
  readonly activity: ActivityPage | null;
}

/** The destinations that a code had before, and what else was done to it. */
export function HistoryDialog({ qr, insight, activity }: HistoryProps) {
  const hasActivePlan = useHasActivePlan();
  const { common, destination: t } = useTexts();
  return (
    <DialogPage title={t.history}>
      <ol class="list">
        <li aria-current="true">
          <div>
            <Address url={qr.destination} />
          </div>
          <span class="pill good">{t.isNow}</span>
        </li>
        {insight.former.map(({ destination, untilMs, isReplacedAsPlanned }) => (
          <li key={`${untilMs} ${destination}`}>
            <div>
              <Address url={destination} />
              <span class="hint">
                {(isReplacedAsPlanned ? t.untilPlanned : t.until)({
                  time: <Time ms={untilMs} format={formatDateTime} />,
                })}
              </span>
            </div>
            {hasActivePlan && destination !== qr.destination && (
              <PostButton
                to={`${codePath(qr.code)}/destination`}
                values={{ url: destination }}
                class="button small"
                aria-label={t.useAddressAgain({ address: formatUrl(destination) })}
              >
                {t.useAgain}
              </PostButton>
            )}
          </li>
        ))}
      </ol>
      {insight.hasMoreFormer && (
        <p class="hint">{t.onlyLatest({ shown: insight.former.length })}</p>
      )}
      {activity !== null && activity.entries.length > 0 && (
        <>
          <h2>{common.activity}</h2>
          <ActivityList entries={activity.entries} codePath={null} />
          {activity.next !== null && (
            <p>
              <TextLink to={`/account/activity?${new URLSearchParams({ code: qr.code })}`}>
                {t.allActivity}
              </TextLink>
            </p>
          )}
        </>
      )}
      <DialogActions back={codePath(qr.code)} />
    </DialogPage>
  );
}
