import type { ApiKeys } from '../core/api-keys.ts';
import type { DefaultDesigns } from '../core/default-design.ts';
import type { Operators } from '../core/operators.ts';
import type { Clock, RandomBytes } from '../core/ports.ts';
import type { QrInsights } from '../core/qr-insight.ts';
import type { QrSearch } from '../core/qr-search.ts';
import type { Qrs } from '../core/qrs.ts';
import type { SafetyAdmin } from '../core/safety-admin.ts';
import type { Sessions } from '../core/session.ts';
import type { SignIn } from '../core/sign-in.ts';
import type { SignInLinks } from '../core/sign-in-link.ts';
import type { ClientAddress } from './client-address.ts';

/** What the panel stands on: functions of the core and a few settings. */
export interface PanelWorld {
  readonly qrs: Qrs;
  readonly insights: QrInsights;
  readonly search: QrSearch;
  readonly designs: DefaultDesigns;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly links: SignInLinks;
  readonly operators: Operators;
  readonly safety: SafetyAdmin;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** Where people reach the server, without a trailing slash. */
  readonly publicUrl: string;
  /** Where short links of this server live, without a trailing slash. */
  readonly shortBases: readonly string[];
  /** Requests per minute and key. */
  readonly rateLimit: number;
}
