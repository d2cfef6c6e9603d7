/** @jsxImportSource preact */
import type { ActivityPage } from '../../core/accounts/activity/ports.ts';
import type { QrInsight } from '../../core/codes/insight.ts';
import type { FormerDestination } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { ScheduledChange } from '../../core/codes/schedule/change.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import { withQuery } from '../../core/codes/urls/pass-query.ts';
import { typedAddress } from '../../core/codes/urls/short-url.ts';
import { formatCount } from '../../lib/numbers.ts';
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
} from '../ui/page-context.tsx';
import { codePath } from './code-label.tsx';
import { actionText } from './schedule/schedule-list.tsx';

interface DestinationProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
}

interface GoesProps extends DestinationProps {
  /** The next one first. */
  readonly planned: readonly ScheduledChange[];
}

/** Says who gets to the destination of a code. */
function whoGoes({ status, flag }: Qr): string {
  if (status === 'blocked') return 'Nobody gets to';
  if (status === 'paused') return 'When resumed, people go to';
  return flag === null ? 'People who scan it go to' : 'After a warning, people go to';
}

/** Where the code leads, and its short link. */
export function Goes({ qr, insight, planned }: GoesProps) {
  const path = codePath(qr.code);
  const hasActivePlan = useHasActivePlan();
  const mayEdit = useMayEdit();
  const { session } = useRequest();
  const { former, hasMoreFormer } = insight;
  const address = typedAddress(qr);
  const scheme = /^https?:\/\//i.exec(qr.shortLink)?.[0] ?? '';
  return (
    <section class="card pad stack tight goes" aria-label={whoGoes(qr)}>
      <h2 class="label">{whoGoes(qr)}</h2>
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
            Change
          </Link>
        )}
        <a class="button" href={qr.destination} rel="noreferrer">
          Open
          <Icon name="open" />
        </a>
      </div>
      {session !== null && !mayEdit && (
        <p class="small soft">
          You can look, not change. Ask an editor, or the owner:{' '}
          <b>{accountName(session.entered)}</b>.
        </p>
      )}
      {mayEdit && !hasActivePlan && (
        <p class="hint">You can change the destination once this account has an active plan.</p>
      )}
      <AsPlanned qr={qr} former={former[0]} next={planned[0]} />
      <hr class="rule" />
      <div class="row copyable">
        <span class="label">Short link</span>
        <code class="short">
          <span class="hidden">{scheme}</span>
          {qr.shortLink.slice(scheme.length)}
        </code>
        <CopyButton label="Copy the short link" text={qr.shortLink} />
        <span class="grow" />
        <span class="small soft">
          {former.length === 0 ? (
            <>
              Created on <Time ms={qr.createdAtMs} />
            </>
          ) : (
            `Changed ${
              hasMoreFormer
                ? `more than ${former.length} times`
                : formatCount(former.length, 'time')
            }`
          )}{' '}
          ·{' '}
          <TextLink to={`${path}/history`} data-dialog>
            History
          </TextLink>
        </span>
      </div>
      {address !== null && (
        <div class="row copyable">
          <span class="label">Address to type</span>
          <bdi class="short">{address}</bdi>
          <CopyButton label="Copy the address to type" text={address} />
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
  if (query === null && !mayEdit) return null;
  const opened = withQuery(destination, exampleQuery);
  return (
    <>
      <hr class="rule" />
      <div class="row">
        <div class="grow">
          <div class="row">
            <h3>Pass the query on</h3>
            {query === null ? (
              <span class="pill plain">Off</span>
            ) : (
              <span class="pill good">On</span>
            )}
          </div>
          <p class="small soft">
            {query === null
              ? 'What stands behind the ? of the opened link is left out.'
              : 'What stands behind the ? of the opened link is added to the destination.'}
          </p>
        </div>
        {mayEdit && (
          <PostButton
            to={path}
            values={{ query: query === null ? 'on' : 'off' }}
            class="button small"
          >
            {query === null ? 'Switch on' : 'Switch off'}
          </PostButton>
        )}
      </div>
      {query !== null && (
        <div class="small">
          <p>
            <span class="label">Link</span> <bdi>{formatUrl(`${shortLink}?${exampleQuery}`)}</bdi>
          </p>
          <p>
            <span class="label">Opens</span> <bdi>{formatUrl(opened)}</bdi>
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
  if (former === undefined || !former.isReplacedAsPlanned) return null;
  return (
    <div class="row">
      <span class="small soft note-line grow">
        <Icon name="clock" />
        <span>
          Since <Time ms={former.untilMs} format={formatTime} />, as planned.
          {next?.nextMs && ` At ${formatTime(next.nextMs, local)} it ${actionText(next)}.`}
        </span>
      </span>
      {hasActivePlan && (
        <PostButton
          to={`${codePath(qr.code)}/destination`}
          values={{ url: former.destination }}
          class="button small"
          icon="undo"
        >
          Undo
        </PostButton>
      )}
    </div>
  );
}

/** Warns of a destination that phones cannot open. */
export function ReachNotice({ destination }: Pick<Qr, 'destination'>) {
  const url = URL.parse(destination);
  const reach = url === null ? 'anyone' : reachOf(url);
  if (url === null || reach === 'anyone') return null;
  return reach === 'this machine' ? (
    <Notice kind="warn" title={`Phones can’t open ${url.hostname}`}>
      This address is the phone itself. Change the destination to one that phones can open.
    </Notice>
  ) : (
    <Notice kind="warn" title={`Only phones in your network can open ${url.hostname}`}>
      Everyone else who scans the code sees an error. Change the destination if others scan it too.
    </Notice>
  );
}

/** Earlier destinations as buttons that fill them in. */
export function UsedBefore({ former }: Pick<QrInsight, 'former'>) {
  if (former.length === 0) return null;
  return (
    <fieldset class="field script-only">
      <legend class="legend">Used before</legend>
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
            <span class="small soft">
              until <Time ms={untilMs} />
            </span>
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
  return (
    <DialogPage title="History">
      <ol class="list">
        <li aria-current="true">
          <div>
            <Address url={qr.destination} />
          </div>
          <span class="pill good">now</span>
        </li>
        {insight.former.map(({ destination, untilMs, isReplacedAsPlanned }) => (
          <li key={`${untilMs} ${destination}`}>
            <div>
              <Address url={destination} />
              <span class="hint">
                until <Time ms={untilMs} format={formatDateTime} />
                {isReplacedAsPlanned && ', as planned'}
              </span>
            </div>
            {hasActivePlan && destination !== qr.destination && (
              <PostButton
                to={`${codePath(qr.code)}/destination`}
                values={{ url: destination }}
                class="button small"
                aria-label={`Use again: ${formatUrl(destination)}`}
              >
                Use again
              </PostButton>
            )}
          </li>
        ))}
      </ol>
      {insight.hasMoreFormer && (
        <p class="hint">Only the latest {insight.former.length} are shown.</p>
      )}
      {activity !== null && activity.entries.length > 0 && (
        <>
          <h2>Activity</h2>
          <ActivityList entries={activity.entries} codePath={null} />
          {activity.next !== null && (
            <p>
              <TextLink to={`/account/activity?${new URLSearchParams({ code: qr.code })}`}>
                All activity of this code
              </TextLink>
            </p>
          )}
        </>
      )}
      <DialogActions back={codePath(qr.code)} />
    </DialogPage>
  );
}
