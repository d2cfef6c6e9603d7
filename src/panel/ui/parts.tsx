/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact';
import { truncateUrl } from '../../core/codes/destination.ts';
import { unturned } from './formatting.ts';
import { useFrame } from './frame.ts';

type LinkProps = Omit<JSX.IntrinsicElements['a'], 'href' | 'role'> & { readonly to: string };

/** A link within the server. */
export function Link({ to, ...rest }: LinkProps) {
  return <a {...rest} href={`${useFrame().basePath}${to}`} />;
}

type FormProps = Omit<JSX.IntrinsicElements['form'], 'action' | 'method'> & {
  readonly to: string;
  readonly children: ComponentChildren;
};

/** A form that changes something. It always carries the token that proves it is ours. */
export function Form({ to, children, ...rest }: FormProps) {
  const { basePath, csrfToken } = useFrame();
  return (
    <form {...rest} method="post" action={`${basePath}${to}`}>
      {csrfToken !== null && <input type="hidden" name="csrf" value={csrfToken} />}
      {children}
    </form>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What was wrong with what was typed. */
  readonly problem?: ComponentChildren;
  readonly input: JSX.IntrinsicElements['input'];
}

/** A labelled field with its hint, and with what was wrong the last time. */
export function Field({ id, label, hint, problem = null, input }: FieldProps) {
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        name={id}
        {...input}
        id={id}
        // Whoever sent the form goes on where it is wrong, and a screen reader says what it is.
        autofocus={input.autofocus === true || problem !== null}
        aria-describedby={described === '' ? undefined : described}
        aria-invalid={problem === null ? undefined : 'true'}
      />
      {problem !== null && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/**
 * A field for a destination. A browser would turn an address without its scheme away from a field of type
 * `url` and say only that this is none.
 */
export const destinationInput = {
  type: 'text',
  inputMode: 'url',
  required: true,
  autocomplete: 'off',
  autocapitalize: 'none',
  spellcheck: false,
} as const satisfies JSX.IntrinsicElements['input'];

/** Tells a password manager whose password the form is about; nobody else sees it. */
export function Username({ email }: { email: string }) {
  return (
    <input type="email" name="username" value={email} autocomplete="username" hidden readOnly />
  );
}

interface NoticeProps {
  readonly kind: 'good' | 'warning' | 'bad';
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Something to know before reading on. What went wrong is announced at once. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <p class="notice-title">{title}</p>
      {children && <div>{children}</div>}
    </div>
  );
}

/** An address of any length: of a very long one the beginning, and the whole of it folded away. */
export function Address({ text }: { text: string }) {
  const shown = unturned(text);
  const beginning = truncateUrl(shown);
  if (beginning === null) return <span class="long">{shown}</span>;
  return (
    <div class="fold">
      <span class="long">{beginning}…</span>
      <details>
        <summary>The whole address</summary>
        <span class="long">{shown}</span>
      </details>
    </div>
  );
}

/** Text to copy, with a button where the browser runs our script. */
export function Copyable({ label, text, wide }: { label: string; text: string; wide?: true }) {
  return (
    <div class={wide ? 'copyable wide' : 'copyable'}>
      <code>{text}</code>
      <button type="button" class="quiet" data-copy={text} aria-label={`Copy ${label}`} hidden>
        Copy
      </button>
    </div>
  );
}

interface AskFirstProps {
  /** What the closed question reads; it opens, and does nothing yet. */
  readonly ask: string;
  readonly to: string;
  /** What the button reads that does it. */
  readonly act: string;
  readonly children: ComponentChildren;
  readonly fields?: ComponentChildren;
}

/** A change that is asked about first: opened, read, then done. Works without a script. */
export function AskFirst({ ask, to, act, children, fields }: AskFirstProps) {
  return (
    <details class="ask">
      <summary>{ask}</summary>
      <div class="ask-body">
        {children}
        <Form to={to}>
          {fields}
          <button type="submit" class="danger">
            {act}
          </button>
        </Form>
      </div>
    </details>
  );
}
