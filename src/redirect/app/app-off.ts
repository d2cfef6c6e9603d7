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
  close: async () => false,
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

/** Why an app that is to run does not answer. */
export type AppAbsence =
  | { readonly kind: 'starting' }
  | { readonly kind: 'silent' }
  /** It has ended by itself, or could not start. It is started again. */
  | { readonly kind: 'ended' | 'failed'; readonly cause: string };

/** Says while the app does not answer, and why. */
export function absenceConditions(absence: () => AppAbsence | null): HealthCondition[] {
  const conditionOf = (name: string, ...kinds: AppAbsence['kind'][]): HealthCondition => ({
    name,
    severity: 'problem',
    // A part of every start.
    isLogged: !kinds.includes('starting'),
    check: () => {
      const found = absence();
      return found !== null && kinds.includes(found.kind) ? [absenceText(found)] : [];
    },
  });
  return [
    conditionOf('app_starting', 'starting'),
    conditionOf('app_not_answering', 'silent'),
    conditionOf('app_not_running', 'ended', 'failed'),
  ];
}

function absenceText(absence: AppAbsence): string {
  if (absence.kind === 'starting')
    return 'The app server (API and panel) is starting. Short links redirect.';
  if (absence.kind === 'silent')
    return (
      'The app server (API and panel) does not answer. Short links redirect. It is ended and started again when it ' +
      'has not answered for 30 seconds.'
    );
  if (absence.kind === 'failed')
    return `The app server (API and panel) cannot start, and is tried again. Short links redirect. ${absence.cause}`;
  return (
    `The app server (API and panel) has ended (${absence.cause}) and is being started again. Short links redirect. ` +
    'The log has more.'
  );
}
