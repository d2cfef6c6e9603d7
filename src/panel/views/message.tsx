/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useFrame } from './frame.ts';
import { Link } from './parts.tsx';

/** A page that says one thing. */
export function MessagePage({ title, children }: { title: string; children: ComponentChildren }) {
  const known = useFrame().csrfToken !== null;
  return (
    <section class="message">
      <h1>{title}</h1>
      <p>{children}</p>
      <p>
        <Link class="button quiet" to="/account">
          {known ? 'To your codes' : 'To the sign-in'}
        </Link>
      </p>
    </section>
  );
}
