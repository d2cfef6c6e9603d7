import { damageMessage } from '../../core/errors.ts';
import type { HealthCondition } from '../../core/health.ts';
import type { StartApp } from './start-app.ts';

/** Why a server only redirects. */
export type OffReason =
  | { readonly kind: 'asked' | 'full' }
  | { readonly kind: 'damage'; readonly detail: string };

/** Starts no app: the server only redirects, because the settings ask for it. */
export const noApp: StartApp = ({ absent }) => ({
  started: Promise.resolve({ firstLink: null }),
  passOn: (target, request) => absent(target, request, 'off'),
  readHealth: async () => ({ problems: [], warnings: [], conditions: [] }),
  conditions: offConditions(() => ({ kind: 'asked' })),
  stopRendering: () => {},
  close: async () => {},
});

/** Says that the server only redirects until its operator has acted, and which damage is the reason. */
export function offConditions(reason: () => OffReason | null): HealthCondition[] {
  return [
    {
      name: 'redirect_only',
      severity: 'problem',
      check: () => {
        const off = reason();
        return off === null ? [] : [textOf(off)];
      },
    },
    {
      name: 'database_damaged',
      severity: 'problem',
      check: () => {
        const off = reason();
        return off?.kind === 'damage' ? [damageMessage(off.detail)] : [];
      },
    },
  ];
}

function textOf(reason: OffReason): string {
  if (reason.kind === 'asked')
    return (
      'The server only redirects, because the settings ask for it: API and panel are off. Restart it without ' +
      'WAYMARK_REDIRECT_ONLY and --redirect-only to change codes.'
    );
  if (reason.kind === 'full')
    return (
      'The server only redirects, because the disk was full at the start: API and panel are off. Free some space. ' +
      'They start then by themselves.'
    );
  return 'The server only redirects, because its database is damaged: API and panel are off.';
}
