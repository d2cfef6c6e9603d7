import type { HealthReport } from '../../core/health.ts';

/** What the app server tells the redirect server over the channel of the process. */
export type AppMessage =
  /** It serves. */
  | { readonly state: 'ready'; readonly firstLink: string | null }
  /** It ends, because it cannot serve with these settings, of which one may be wrong, and this database. */
  | { readonly state: 'refused'; readonly reason: string; readonly isWrongValue: boolean }
  /** It ends, because of something that may pass, such as a folder that cannot be reached. */
  | { readonly state: 'failed'; readonly reason: string }
  /** It ends, because the database is damaged. */
  | { readonly state: 'damaged'; readonly detail: string }
  /** It ends, because the disk is full. */
  | { readonly state: 'full' };

/** What the redirect server tells the app server. */
export type AppOrder =
  /** Reject queued and new render jobs. */
  | 'stop rendering'
  /** Finish and end. */
  | 'stop'
  /** Problems of the redirect server, for the notice of operators. */
  | HealthReport;
