/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { type Account, hasActivePlan } from '../../core/accounts/account.ts';
import { truncateUrl } from '../../core/codes/destination.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { escapeBidiMarks, formatDate, formatDateTime, formatRelativeTime } from './formatting.ts';
import { Form, useRequest } from './page-context.tsx';

interface NoticeProps {
  readonly kind: 'good' | 'warning' | 'bad';
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** A message above the content. Screen readers announce a bad one at once. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <b>{title}</b>
      {children && <div>{children}</div>}
    </div>
  );
}

/** A name and its value in a `<dl class="facts">`. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A URL. A long one is truncated, with the full URL in a disclosure. */
export function Address({ url }: { url: string }) {
  const shown = escapeBidiMarks(url);
  const beginning = truncateUrl(shown);
  if (beginning === null) return <span>{shown}</span>;
  return (
    <div class="long-url">
      <span>{beginning}…</span>
      <details>
        <summary>Show full URL</summary>
        {shown}
      </details>
    </div>
  );
}

/** Text with a copy button, which the script shows. */
export function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <div class="row copyable">
      <code>{text}</code>
      <button type="button" class="quiet" data-copy={text} aria-label={`Copy ${label}`} hidden>
        Copy
      </button>
    </div>
  );
}

interface ConfirmProps {
  /** Label of the closed disclosure. */
  readonly summary: string;
  /** Label of the button that submits. */
  readonly button: string;
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A form in a disclosure, so that a change takes two clicks. */
export function Confirm({ summary, button, to, children }: ConfirmProps) {
  return (
    <details class="confirm">
      <summary>{summary}</summary>
      <Form to={to} class="stack">
        {children}
        <button type="submit" class="danger">
          {button}
        </button>
      </Form>
    </details>
  );
}

/** When the plan of an account expires. */
export function PlanExpiry({ account }: { account: Account }) {
  const { nowMs } = useRequest();
  if (account.planUntilMs === null) return <>does not expire</>;
  const isActive = hasActivePlan(account, nowMs);
  return (
    <span class={isActive ? undefined : 'expired'}>
      {isActive ? 'expires' : 'expired'} on <Time ms={account.planUntilMs} />
    </span>
  );
}

interface TimeProps {
  readonly ms: number;
  /** `formatDate` when left out. */
  readonly format?: (ms: number, nowMs: number) => string;
}

/** A time, with its date and time of day as the tooltip. */
export function Time({ ms, format = formatDate }: TimeProps) {
  return (
    <time dateTime={isoTimestamp(ms)} title={formatDateTime(ms)}>
      {format(ms, useRequest().nowMs)}
    </time>
  );
}

/** A time such as `5 minutes ago`. */
export function RelativeTime({ ms }: { ms: number }) {
  return <Time ms={ms} format={formatRelativeTime} />;
}

interface SearchProps {
  readonly label: string;
  readonly button: string;
  readonly value: string;
  /** Hidden fields. */
  readonly children?: ComponentChildren;
}

/** A search form of the current page. */
export function Search({ label, button, value, children }: SearchProps) {
  return (
    <search>
      <form class="search">
        {children}
        <label class="hidden" for="q">
          {label}
        </label>
        <input
          id="q"
          name="q"
          type="search"
          value={value}
          placeholder={label}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" class="quiet">
          {button}
        </button>
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

/** A square image. */
export function Image({ path, alt, widthPx }: ImageProps) {
  const { basePath } = useRequest();
  return (
    <img
      src={path.startsWith('/') ? `${basePath}${path}` : path}
      alt={alt}
      width={widthPx}
      height={widthPx}
      loading="lazy"
      decoding="async"
    />
  );
}
