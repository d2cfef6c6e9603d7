/** @jsxImportSource preact */
import type { ComponentChildren, JSX, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { hasActivePlan } from '../../core/accounts/account.ts';
import { includesRole } from '../../core/accounts/people/role.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { type Said, say } from '../../languages/texts.ts';
import type { RejectedForm, RequestContext } from '../request/request.ts';
import { Icon, type IconName } from './icons.tsx';

/** A page, or a part of one, as HTML. */
export interface Rendered {
  readonly html: string;
  /** Whether one of its forms shows the rejection of the request. */
  readonly showsRejection: boolean;
}

// Rendering waits for nothing, so no other request comes between. With a context of Preact it takes a tenth longer.
let current: {
  readonly request: RequestContext;
  showsRejection: boolean;
  /** What the page shows that is meant in a time zone, until it has named the zone. */
  needsZone: 'times' | 'days' | null;
  isZoneNamed: boolean;
} | null = null;

function useRendering() {
  if (current === null) throw new Error('a component was rendered outside of a page');
  return current;
}

/** Renders the page of a request, or a part of it. Its components get the request from `useRequest`. */
export function render(request: RequestContext, content: VNode): Rendered {
  current = { request, showsRejection: false, needsZone: null, isZoneNamed: false };
  try {
    const html = renderToString(content);
    return { html, showsRejection: current.showsRejection };
  } finally {
    current = null;
  }
}

/** Returns the request that the page responds to. */
export function useRequest(): RequestContext {
  return useRendering().request;
}

/** Returns the sentences in the language of the page. */
export function useTexts(): Texts {
  return useRendering().request.texts;
}

/** Says a sentence in the language of the page. */
export function useSaid(said: Said): string {
  return say(said, useTexts());
}

/**
 * Returns the time and zone of the request, for times or days that the page shows.
 * The page names the zone.
 */
export function useLocalTime(shown: 'times' | 'days'): RequestContext {
  const rendering = useRendering();
  if (rendering.needsZone !== 'days') rendering.needsZone = shown;
  return rendering.request;
}

/**
 * Returns what the page shows so far that needs a zone, once.
 * Null when the page has named it, or need not.
 */
export function takeZoneNeed(): 'times' | 'days' | null {
  const rendering = useRendering();
  if (rendering.isZoneNamed || rendering.needsZone === null) return null;
  rendering.isZoneNamed = true;
  return rendering.needsZone;
}

/**
 * Returns the rejected form of the request if it was sent to this path with these hidden fields.
 * The form that calls this shows it.
 *
 * @param to its query does not count
 */
export function useRejectedForm(
  to: string,
  hidden: Readonly<Record<string, string>>,
): RejectedForm | null {
  const rejected = useRejected(to, hidden);
  if (rejected !== null) useRendering().showsRejection = true;
  return rejected;
}

/** Returns the rejected form of the request if it is this one, for what is drawn around the form. */
export function useRejected(
  to: string,
  hidden: Readonly<Record<string, string>> = {},
): RejectedForm | null {
  const { rejected } = useRequest();
  const isSame =
    rejected !== null &&
    rejected.action === to.replace(/\?.*/, '') &&
    Object.entries(hidden).every(([name, value]) => rejected.typed.text(name) === value);
  return isSame ? rejected : null;
}

/** Returns whether the plan of the entered account is active. */
export function useHasActivePlan(): boolean {
  const { session, nowMs } = useRequest();
  return session !== null && hasActivePlan(session.entered, nowMs);
}

/** Returns whether the person may use a route of the panel. Pages leave out what is of no use. */
function useMayUse(): (method: 'GET' | 'POST', path: string) => boolean {
  const { session, roleNeeds } = useRequest();
  if (session === null || session.role === 'owner') return () => true;
  return (method, path) => {
    const needed = roleNeeds(method, path);
    return needed === null || includesRole(session.role, needed);
  };
}

/** Returns whether the person may change codes, designs and tables of the entered account. */
export function useMayEdit(): boolean {
  const { session } = useRequest();
  return session !== null && includesRole(session.role, 'editor');
}

/** What a link and a button show: a text, and an icon before it. */
interface Labelled {
  readonly icon?: IconName | undefined;
  readonly children?: ComponentChildren;
}

type LinkProps = Omit<JSX.IntrinsicElements['a'], 'href' | 'role' | 'icon'> &
  Labelled & {
    readonly to: string;
    /** Whether the script shows its page as a dialog. */
    readonly 'data-dialog'?: boolean | undefined;
  };

/** Renders a link to a path of this server; nothing if the person may not open it. */
export function Link({ to, icon, children, 'data-dialog': isDialog, ...rest }: LinkProps) {
  if (!useMayUse()('GET', to)) return null;
  return (
    <a
      {...rest}
      // Preact would write it as `data-dialog="true"`.
      data-dialog={isDialog ? '' : undefined}
      href={`${useRequest().basePath}${to}`}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** Renders a link that looks like a button. */
export function ButtonLink(props: LinkProps) {
  return <Link class="button" {...props} />;
}

/** Renders a link within a text. */
export function TextLink(props: LinkProps) {
  return <Link class="link" {...props} />;
}

export type SubmitProps = Omit<JSX.IntrinsicElements['button'], 'type' | 'icon' | 'values'> &
  Labelled;

/** Renders a button that sends its form; the most important one of the page by default. */
export function Submit({ icon, children, ...rest }: SubmitProps) {
  const button = { class: 'button primary', ...rest };
  return (
    <button type="submit" {...button}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type FormProps = Omit<JSX.IntrinsicElements['form'], 'action' | 'method'> & {
  readonly to: string;
  readonly children: ComponentChildren;
};

/**
 * A POST form that names the entered account, with the CSRF token of the session in it.
 * Nothing if the person may not send it.
 */
export function Form({ to, children, ...rest }: FormProps) {
  const { basePath, session } = useRequest();
  if (!useMayUse()('POST', to)) return null;
  return (
    <form {...rest} method="post" action={`${basePath}${to}`}>
      {session !== null && (
        <>
          <input type="hidden" name="csrf" value={session.csrfToken} />
          <input type="hidden" name="account" value={session.entered.id} />
        </>
      )}
      {children}
    </form>
  );
}

/** Values of hidden fields by their names. A name may have several. */
export type HiddenValues = Readonly<Record<string, string | readonly string[]>>;

/** Renders hidden fields of a form. */
export function HiddenFields({ values }: { values: HiddenValues }) {
  return Object.entries(values).map(([name, given]) =>
    [given]
      .flat()
      .map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
  );
}

type PostButtonProps = Omit<SubmitProps, 'form'> & {
  /** Path that it sends a form to. */
  readonly to: string;
  readonly values?: HiddenValues;
};

/** Renders a button that is a form of its own, with nothing to type. */
export function PostButton({ to, values = {}, ...rest }: PostButtonProps) {
  return (
    <Form to={to}>
      <HiddenFields values={values} />
      <Submit {...rest} />
    </Form>
  );
}
