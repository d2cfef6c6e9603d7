/** @jsxImportSource preact */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { hasActivePlan } from '../../core/accounts/account.ts';
import type { RequestContext } from '../request/request.ts';

/** Provides the request to the components of its page. */
export const PageContext = createContext<RequestContext | null>(null);

/** Returns the request that the page responds to. */
export function useRequest(): RequestContext {
  const context = useContext(PageContext);
  if (context === null) throw new Error('a component was rendered outside of a page');
  return context;
}

/** Returns whether the plan of the signed-in account is active. */
export function useHasActivePlan(): boolean {
  const { session, nowMs } = useRequest();
  return session !== null && hasActivePlan(session.account, nowMs);
}

export type LinkProps = Omit<JSX.IntrinsicElements['a'], 'href' | 'role'> & { readonly to: string };

/** A link to a path of this server. */
export function Link({ to, ...rest }: LinkProps) {
  return <a {...rest} href={`${useRequest().basePath}${to}`} />;
}

type FormProps = Omit<JSX.IntrinsicElements['form'], 'action' | 'method'> & {
  readonly to: string;
  readonly children: ComponentChildren;
};

/** A POST form with the CSRF token of the session. */
export function Form({ to, children, ...rest }: FormProps) {
  const { basePath, session } = useRequest();
  return (
    <form {...rest} method="post" action={`${basePath}${to}`}>
      {session !== null && <input type="hidden" name="csrf" value={session.csrfToken} />}
      {children}
    </form>
  );
}

/** Hidden fields of a form. */
export function HiddenFields({ values }: { values: Readonly<Record<string, string>> }) {
  return Object.entries(values).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

type PostButtonProps = Omit<JSX.IntrinsicElements['button'], 'type' | 'form' | 'values'> & {
  /** Path that it sends a form to. */
  readonly to: string;
  readonly values?: Readonly<Record<string, string>>;
};

/** A button that is a form of its own, with nothing to type. */
export function PostButton({ to, values = {}, ...rest }: PostButtonProps) {
  const button = { class: 'button primary', ...rest };
  return (
    <Form to={to}>
      <HiddenFields values={values} />
      <button type="submit" {...button} />
    </Form>
  );
}
