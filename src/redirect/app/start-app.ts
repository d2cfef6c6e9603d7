import type { HealthCondition, HealthReport } from '../../core/health.ts';
import type { AbsentApp } from '../forwarding/absent-app.ts';
import type { RedirectReadings } from '../metrics/metrics.ts';
import type { PassOn } from '../pass-on.ts';

/** The app server as the redirect server sees it: in a process of its own, in this one, or off. */
export interface AppServer {
  /** Resolves when the app serves, or is known to stay away; rejects if the server can never start. */
  readonly started: Promise<AppStart>;
  readonly passOn: PassOn;
  /** Returns the app's health report, which says so when the app does not answer within a second. */
  readHealth(): Promise<HealthReport>;
  /** That the app is off, or was lost. */
  readonly conditions: readonly HealthCondition[];
  /** Rejects queued and new render jobs. */
  stopRendering(): void;
  /**
   * Ends the app. No request may follow.
   *
   * @param maxMs after which it is killed
   * @returns whether it has served and closed the database itself
   */
  close(maxMs: number): Promise<boolean>;
}

export interface AppStart {
  /** The one-time link that creates the first account; null if there is one. */
  readonly firstLink: string | null;
}

/** Starts the app server. */
export type StartApp = (redirects: {
  readonly readings: () => RedirectReadings;
  /** Returns what is wrong with the redirect server. */
  readonly report: () => HealthReport;
  readonly absent: AbsentApp;
  /** Whether there is a database, so that short links are answered while the app starts. */
  readonly hasDatabase: boolean;
}) => AppServer;
