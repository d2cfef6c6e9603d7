/** @jsxImportSource preact */
import type { DomainCheck } from '../../core/domains/checks.ts';
import type { ListedDomain } from '../../core/domains/domains.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { domainProblemSentence } from '../../sentences/domains.ts';
import { RelativeTime } from '../ui/components.tsx';
import { formatDestination } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import { useTexts } from '../ui/page-context.tsx';

/** Returns a domain as people type it. */
export function domainName(url: string): string {
  return formatDestination(url);
}

/** Renders whether a domain leads to this server. @param check null before it is checked */
export function DomainState({ check }: { check: DomainCheck | null }) {
  const { domains: t } = useTexts();
  if (check === null) return <span class="pill plain">{t.notChecked}</span>;
  return check.problem === null ? (
    <span class="pill good">{t.leadsHere}</span>
  ) : (
    <span class="pill bad">{t.leadsElsewhere}</span>
  );
}

/** Says why a domain does not lead to this server; nothing if it does. */
export function DomainProblemLine({ check }: { check: DomainCheck | null }) {
  const t = useTexts();
  if (check === null || check.problem === null) return null;
  return (
    <span class="error">
      <Icon name="bad" />
      <span>{domainProblemSentence(check.problem, t)}</span>
    </span>
  );
}

/** Says who may print codes with a domain, how many there are, and when it was checked. */
export function DomainFacts({ domain }: { domain: ListedDomain }) {
  const { accounts, codes, check } = domain;
  const { domains: t } = useTexts();
  const counted = codes === null ? t.beingCounted : codes === 0 ? t.noCodes : t.codes({ codes });
  return (
    <>
      {usersPhrase(accounts, useTexts())} · {counted}
      {check !== null && [' · ', t.checkedAt({ when: <RelativeTime ms={check.atMs} /> })]}
    </>
  );
}

/** Says who may use a domain: two by their names, unless there are three. @param accounts null for all */
function usersPhrase(accounts: readonly string[] | null, { domains: t, formats }: Texts): string {
  if (accounts === null) return t.allAccounts;
  const [first, second, ...others] = accounts;
  if (first === undefined) return t.noAccount;
  return second !== undefined && others.length > 1
    ? t.twoAndOthers({ first, second, others: others.length })
    : formats.list(accounts);
}
