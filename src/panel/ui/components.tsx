/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import { type Account, planStateOf } from '../../core/accounts/account.ts';
import { minutesBeforeMidnight } from '../../core/scans/days.ts';
import { readableUrl, truncateUrl } from '../../lib/text/readable-url.ts';
import {
  formatDate,
  formatDateTime,
  formatPlanEnd,
  formatRelativeTime,
  formatZone,
  type LocalTime,
} from './formatting.ts';
import { Icon } from './icons.tsx';
import {
  Submit,
  TextLink,
  takeZoneNeed,
  useLocalTime,
  useRequest,
  useTexts,
} from './page-context.tsx';

interface HeadProps {
  readonly title: ComponentChildren;
  /** A sentence below the title. */
  readonly text?: ComponentChildren;
  /** Pills and figures beside the title. */
  readonly beside?: ComponentChildren;
  /** At most three buttons. */
  readonly children?: ComponentChildren;
}

/** Renders the head of a page: its title and what most people came for. */
export function PageHead({ title, text, beside, children }: HeadProps) {
  return (
    <div class="head">
      <h1>{title}</h1>
      {beside}
      {children && <div class="acts">{children}</div>}
      {text && <p>{text}</p>}
    </div>
  );
}

interface NoticeProps {
  /** Something will go wrong, or is wrong now. */
  readonly kind: 'warn' | 'bad';
  readonly title: string;
  /** What happens, for a person with a phone. */
  readonly children?: ComponentChildren;
  /** The one action that ends it. */
  readonly action?: ComponentChildren;
}

/** Renders a message that stays until its cause is gone. */
export function Notice({ kind, title, children, action }: NoticeProps) {
  return (
    <section class={`notice ${kind}`} aria-label={title}>
      <Icon name={kind} />
      <div>
        <b>{title}</b>
        {children && <div>{children}</div>}
      </div>
      {action && <div class="actions">{action}</div>}
    </section>
  );
}

interface MenuProps {
  /** Unique on the page. */
  readonly id: string;
  /** What it is for: `Actions for Table 1`. */
  readonly label: string;
  /** Links and forms with one button. */
  readonly children: ComponentChildren;
}

/** Renders the … button and its menu. On phones the menu is a sheet at the bottom. */
export function Menu({ id, label, children }: MenuProps) {
  return (
    <>
      <button type="button" class="button dots" popovertarget={id} aria-label={label} />
      <div class="menu" id={id} popover="auto">
        {children}
      </div>
    </>
  );
}

/** Values by their names. */
export function Facts({ of }: { of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Renders a URL. A long one is truncated, with the full URL in a disclosure. */
export function Address({ url }: { url: string }) {
  const t = useTexts();
  const shown = readableUrl(url);
  const beginning = truncateUrl(shown);
  if (beginning === null) return <span>{shown}</span>;
  return (
    <div class="long-url">
      <span>{beginning}…</span>
      <details>
        <summary>{t.common.showFullAddress}</summary>
        {shown}
      </details>
    </div>
  );
}

/**
 * Renders text with a copy button.
 *
 * @param label what the button does: `Copy the link`
 */
export function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <div class="row copyable">
      <code>{text}</code>
      <CopyButton label={label} text={text} />
    </div>
  );
}

/** Renders a button that copies a text, which the script shows. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  return (
    <button type="button" class="button small script-only" data-copy={text} aria-label={label}>
      <Icon name="copy" />
      {useTexts().common.copy}
    </button>
  );
}

/** Renders when the plan of an account expires. */
export function PlanExpiry({ account }: { account: Account }) {
  const { nowMs } = useRequest();
  const t = useTexts();
  if (account.planUntilMs === null) return <>{t.accounts.planNeverExpires}</>;
  const date = <Time ms={account.planUntilMs} format={formatPlanEnd} />;
  switch (planStateOf(account, nowMs)) {
    case 'active':
      return <span>{t.accounts.planExpiresOn({ date })}</span>;
    case 'expired':
      return <span class="expired">{t.accounts.planExpiredOn({ date })}</span>;
    case 'none':
      return <>{t.accounts.noPlanYet}</>;
  }
}

interface TimeProps {
  readonly ms: number;
  readonly class?: string;
  /** `formatDate` when left out. */
  readonly format?: (ms: number, local: LocalTime) => string;
}

/** Renders a time, with its date and time of day as the tooltip. */
export function Time({ ms, format = formatDate, ...rest }: TimeProps) {
  const local = useLocalTime('times');
  return (
    <span {...rest} data-time="" title={formatDateTime(ms, local)}>
      {format(ms, local)}
    </span>
  );
}

/** Renders a time such as `5 minutes ago`. */
export function RelativeTime({ ms }: { ms: number }) {
  return <Time ms={ms} format={formatRelativeTime} />;
}

interface SearchFieldProps {
  /** Unlike that of a page, the field of a dialog has another one, and the key `/` does not focus it. */
  readonly id?: string;
  readonly autofocus?: boolean;
  readonly label: string;
  readonly value: string;
  /** A search is in the address, which does not fit into a request when it is too long. */
  readonly maxLength: number;
  /** Which of these texts fit, if not all do, and what to do about the others. */
  readonly pattern?: string;
  readonly title?: string;
}

/** Renders the field of a search, which the key `/` focuses. */
export function SearchField({ id = 'q', label, ...rest }: SearchFieldProps) {
  return (
    <>
      <label class="hidden" for={id}>
        {label}
      </label>
      <span class="search">
        <Icon name="search" />
        <input
          id={id}
          name="q"
          type="search"
          data-shortcut={id === 'q' ? '/' : undefined}
          class="input"
          placeholder={label}
          autocomplete="off"
          {...rest}
          spellcheck={false}
        />
      </span>
    </>
  );
}

interface SearchProps extends SearchFieldProps {
  readonly button: string;
}

/** Renders a search form of the current page. */
export function Search({ button, ...field }: SearchProps) {
  return (
    <search>
      <form class="tools">
        <SearchField {...field} />
        <Submit class="button">{button}</Submit>
      </form>
    </search>
  );
}

interface ImageProps {
  /** Path on this server, or a `data:` URL. */
  readonly path: string;
  readonly alt: string;
  readonly widthPx: number;
}

/** Renders a square image. */
export function Image({ path, alt, widthPx }: ImageProps) {
  const { basePath } = useRequest();
  return (
    <img
      src={path.startsWith('/') ? `${basePath}${path}` : path}
      alt={alt}
      width={widthPx}
      height={widthPx}
      loading="lazy"
    />
  );
}

interface ScrollRegionProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Renders what is wider or longer than its place. Keyboards scroll it. */
export function ScrollRegion({ label, class: look, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it (axe, scrollable-region-focusable)
    <section class={look ? `scroll ${look}` : 'scroll'} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** Names the zone of the days and times of a page: once, where it stands first. */
export function ZoneNote() {
  const { nowMs, zone, session } = useRequest();
  const t = useTexts();
  const need = takeZoneNeed();
  if (need === null) return null;
  const place = formatZone(zone);
  const minutes = minutesBeforeMidnight(nowMs, zone);
  return (
    <p class="small soft zone">
      {need === 'times'
        ? t.timeZone.timesAreIn({ place })
        : minutes === 0
          ? t.timeZone.daysBeginIn({ place })
          : minutes === 30
            ? t.timeZone.daysBeginHalfHourOff({ place })
            : t.timeZone.daysBeginMinutesOff({ place, minutes })}{' '}
      {session?.role === 'owner' && (
        <TextLink to="/account/settings#time-zone" aria-label={t.timeZone.changeIt}>
          {t.common.change}
        </TextLink>
      )}
    </p>
  );
}
