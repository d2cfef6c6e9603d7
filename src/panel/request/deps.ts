import type { AccountDeletion } from '../../core/account-deletion.ts';
import type { AccountActivity } from '../../core/accounts/activity/account-activity.ts';
import type { SignInNotices } from '../../core/accounts/activity/sign-in-notice.ts';
import type { ApiKeys } from '../../core/accounts/api-key.ts';
import type { People } from '../../core/accounts/people/people.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import type { SecondFactors } from '../../core/accounts/second-factor.ts';
import type { Sessions } from '../../core/accounts/session.ts';
import type { Identities } from '../../core/accounts/sign-in/identities.ts';
import type { SignIn } from '../../core/accounts/sign-in/sign-in.ts';
import type { SignInLinks } from '../../core/accounts/sign-in/sign-in-link.ts';
import type { Batches } from '../../core/batches/batches.ts';
import type { BulkEdits } from '../../core/batches/bulk-edits.ts';
import type { QrInsights } from '../../core/codes/insight.ts';
import type { CodeLists } from '../../core/codes/lists/lists.ts';
import type { PeriodLists } from '../../core/codes/lists/period-lists.ts';
import type { Archives } from '../../core/codes/print/archive.ts';
import type { CodePictures } from '../../core/codes/print/pictures.ts';
import type { Sheets } from '../../core/codes/print/sheets.ts';
import type { Qrs } from '../../core/codes/qrs.ts';
import type { Schedule } from '../../core/codes/schedule/schedule.ts';
import type { SearchTerm } from '../../core/codes/urls/short-url.ts';
import type { DefaultDesigns } from '../../core/designs/default-design.ts';
import type { Pictures } from '../../core/designs/pictures.ts';
import type { SavedDesigns } from '../../core/designs/saved-designs.ts';
import type { Domains } from '../../core/domains/domains.ts';
import type { FairQueue } from '../../core/fair-queue.ts';
import type { HealthReport } from '../../core/health.ts';
import type { Clock, RandomBytes } from '../../core/ports.ts';
import type { SafetyAdmin } from '../../core/safety/admin.ts';
import type { Overviews } from '../../core/scans/overview.ts';
import type { ClientAddress } from './client-address.ts';

/** Dependencies of the panel: services of the core, and settings. */
export interface PanelDeps {
  readonly qrs: Qrs;
  readonly insights: QrInsights;
  readonly lists: CodeLists;
  readonly periodLists: PeriodLists;
  readonly overviews: Overviews;
  readonly sheets: Sheets;
  readonly archives: Archives;
  readonly pictures: CodePictures;
  readonly designs: DefaultDesigns;
  readonly keptPictures: Pictures;
  readonly savedDesigns: SavedDesigns;
  readonly bulkEdits: BulkEdits;
  readonly batches: Batches;
  readonly schedule: Schedule;
  readonly activity: AccountActivity;
  readonly signInNotices: SignInNotices;
  readonly apiKeys: ApiKeys;
  readonly domains: Domains;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly signInLinks: SignInLinks;
  readonly identities: Identities;
  readonly secondFactors: SecondFactors;
  readonly accounts: AccountStore;
  readonly deletion: AccountDeletion;
  readonly people: People;
  readonly safety: SafetyAdmin;
  /** Whether people sign in with passwords. */
  readonly hasPasswords: boolean;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** Signs messages, see `sealMessage`. No browser has it. */
  readonly messageKey: string;
  /** Without trailing slash. */
  readonly publicUrl: string;
  /** Prefix of the short links of new codes, without trailing slash. */
  readonly shortUrl: string;
  readonly searchTerm: SearchTerm;
  /** Requests per minute and key. */
  readonly rateLimit: number;
  /** Draws the QR code of a text without spaces as SVG. */
  readonly drawSymbol: (text: string) => Promise<string>;
  /** Returns the time of the last backup, or null. */
  readonly lastBackupMs: () => Promise<number | null>;
  /** In which requests begin. */
  readonly turns: FairQueue;
  /** Returns whether the server cannot keep changes now. */
  readonly rejectsWrites: () => boolean;
  /** Returns what is wrong with the server, for operators. */
  readonly health: () => HealthReport;
}
