/** @jsxImportSource preact */
import type { QrInsight } from '../../core/codes/insight.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import { typedAddress } from '../../core/codes/urls/short-url.ts';
import { formatCount } from '../../lib/numbers.ts';
import { Address, CopyButton, Notice, Time } from '../ui/components.tsx';
import { DialogActions, DialogPage } from '../ui/dialog.tsx';
import { formatDateTime, formatDestination, formatUrl } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import { Link, PostButton, TextLink, useHasActivePlan } from '../ui/page-context.tsx';
import { codePath } from './code-label.tsx';

interface DestinationProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
}

/** Says who gets to the destination of a code. */
function whoGoes({ status, flag }: Qr): string {
  if (status === 'blocked') return 'Nobody gets to';
  if (status === 'paused') return 'When resumed, people go to';
  return flag === null ? 'People who scan it go to' : 'After a warning, people go to';
}

/** Where the code leads, and its short link. */
export function Goes({ qr, insight }: DestinationProps) {
  const path = codePath(qr.code);
  const hasActivePlan = useHasActivePlan();
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
          <Link class="button primary" to={`${path}/destination`} data-dialog data-shortcut="e">
            Change
          </Link>
        )}
        <a class="button" href={qr.destination} rel="noreferrer">
          Open
          <Icon name="open" />
        </a>
      </div>
      {!hasActivePlan && (
        <p class="hint">You can change the destination once your plan is renewed.</p>
      )}
      <hr class="rule" />
      <div class="row copyable">
        <span class="label">Short link</span>
        <code class="short">
          <span class="hidden">{scheme}</span>
          {qr.shortLink.slice(scheme.length)}
        </code>
        <CopyButton label="the short link" text={qr.shortLink} />
        <span class="grow" />
        <span class="small soft">
          {former.length === 0 ? (
            <>
              Created on <Time ms={qr.createdAtMs} />
            </>
          ) : (
            <>
              Changed{' '}
              {hasMoreFormer
                ? `more than ${former.length} times`
                : formatCount(former.length, 'time')}{' '}
              ·{' '}
              <TextLink to={`${path}/history`} data-dialog>
                History
              </TextLink>
            </>
          )}
        </span>
      </div>
      {address !== null && (
        <div class="row copyable">
          <span class="label">To type</span>
          <bdi class="short">{address}</bdi>
          <CopyButton label="the address to type" text={address} />
        </div>
      )}
    </section>
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

/** The destinations that a code had before. */
export function HistoryDialog({ qr, insight }: DestinationProps) {
  const hasActivePlan = useHasActivePlan();
  return (
    <DialogPage title="Destinations">
      <ol class="list">
        <li aria-current="true">
          <div>
            <Address url={qr.destination} />
          </div>
          <span class="pill good">now</span>
        </li>
        {insight.former.map(({ destination, untilMs }) => (
          <li key={`${untilMs} ${destination}`}>
            <div>
              <Address url={destination} />
              <span class="hint">
                until <Time ms={untilMs} format={formatDateTime} />
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
      <DialogActions back={codePath(qr.code)} />
    </DialogPage>
  );
}
