/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useFrame } from './frame.ts';
import { Link } from './parts.tsx';

interface MessageProps {
  readonly title: string;
  /** Where the form stands that was refused; null where it was none. */
  readonly form?: string | null;
  readonly children: ComponentChildren;
}

/** A page that says one thing. */
export function MessagePage({ title, form = null, children }: MessageProps) {
  const known = useFrame().csrfToken !== null;
  return (
    <section class="message">
      <h1>{title}</h1>
      <p>{children}</p>
      <p>
        <Link class="button quiet" to={form ?? '/account'}>
          {form !== null ? 'Back to the form' : known ? 'To your codes' : 'To the sign-in'}
        </Link>
      </p>
    </section>
  );
}
