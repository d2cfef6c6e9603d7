/** @jsxImportSource preact */
import type { DomainCheck } from '../../core/domains/checks.ts';
import { formatCount, formatList } from '../../lib/numbers.ts';
import { domainProblemSentence } from '../../sentences/domains.ts';
import { RelativeTime } from '../ui/components.tsx';
import { formatDestination } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';

/** Returns a domain as people type it. */
export function domainName(url: string): string {
  return formatDestination(url);
}

/** Renders whether a domain leads to this server. @param check null before it is checked */
export function DomainState({ check }: { check: DomainCheck | null }) {
  if (check === null) return <span class="pill plain">Not checked</span>;
  return check.problem === null ? (
    <span class="pill good">Leads here</span>
  ) : (
    <span class="pill bad">Doesn’t lead here</span>
  );
}

/** Says why a domain does not lead to this server; nothing if it does. */
export function DomainProblemLine({ check }: { check: DomainCheck | null }) {
  if (check === null || check.problem === null) return null;
  return (
    <span class="error">
      <Icon name="bad" />
      <span>{domainProblemSentence(check.problem)}</span>
    </span>
  );
}

/** Says when a domain was checked. */
export function CheckedAt({ check }: { check: DomainCheck | null }) {
  if (check === null) return null;
  return (
    <>
      checked <RelativeTime ms={check.atMs} />
    </>
  );
}

/** Accounts of a domain that are named; the others are counted. */
const maxNamed = 2;

/** Says who may use a domain. @param accounts null for all */
export function usersPhrase(accounts: readonly string[] | null): string {
  if (accounts === null) return 'All accounts';
  if (accounts.length === 0) return 'No account';
  const others = accounts.length - maxNamed;
  const named = accounts.slice(0, others === 1 ? maxNamed + 1 : maxNamed);
  return others > 1
    ? `${named.join(', ')} and ${formatCount(others, 'other account')}`
    : formatList(named);
}

/** Says how many codes are printed with a domain. @param codes null while they are counted */
export function codesPhrase(codes: number | null): string {
  if (codes === null) return 'its codes are being counted';
  return codes === 0 ? 'no codes' : formatCount(codes, 'code');
}
