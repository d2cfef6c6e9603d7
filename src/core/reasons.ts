import type { FileNotice, FileReason, LinkFileReason } from './codes/tables/file-reasons.ts';
import type { Advice } from './designs/design.ts';
import type { LogoReason } from './designs/logo-reasons.ts';
import type { BlackAndWhiteCaution, ReadabilityReason } from './designs/readability.ts';

/**
 * Why something cannot be done, as data: a kind, and the values of its sentence.
 * The surfaces have the sentences: `cli/sentences/` and `panel/ui/sentences/`.
 */
export type Reason =
  | AccountReason
  | ApiReason
  | BatchReason
  | BulkEditReason
  | DomainReason
  | FileReason
  | NoticedReason
  | LabelReason
  | LinkReason
  | ListReason
  | CaptionReason
  | LogoReason
  | PathReason
  | ScheduleReason
  | PrintReason
  | RowReason
  | RuleReason
  | SavedDesignReason;

/** Why links are not imported, which commands alone do. */
type ImportReason = LinkFileReason | LinkReason;

/** What people of the panel may meet. */
export type PanelReason = Exclude<Reason, ImportReason>;

/** Why a request of the API is rejected. */
export type ApiReason = AccessReason | DesignReason | DestinationReason | MissingReason;

/** Why a request of an API key is not admitted, or no key is issued. */
export type AccessReason =
  | { readonly kind: 'wrong authorization'; readonly problem: AuthorizationProblem }
  | { readonly kind: 'rate limited'; readonly limit: number; readonly seconds: number }
  | { readonly kind: 'too many keys'; readonly count: number; readonly seconds: number }
  | { readonly kind: 'account deleted' };

/** Problems of how a key was sent. */
export type AuthorizationProblem =
  | 'key in the URL'
  | 'Bearer twice'
  | 'comma'
  | 'no Bearer'
  | 'quotation marks';

/** Why an account, or its password, cannot be as asked. */
export type AccountReason =
  | PasswordReason
  | { readonly kind: 'no e-mail address' }
  | { readonly kind: 'same e-mail address' }
  | { readonly kind: 'e-mail address taken'; readonly email: string }
  | { readonly kind: 'no plan end' }
  | { readonly kind: 'no time zone' }
  | { readonly kind: 'only operator'; readonly email: string }
  | { readonly kind: 'no recipient of the codes' }
  | { readonly kind: 'account gone'; readonly email: string }
  /** Who acts may not change this, or not any more. */
  | { readonly kind: 'no right' }
  | PeopleReason;

/** Why somebody cannot be invited, or cannot join. */
type PeopleReason =
  | { readonly kind: 'invited owner'; readonly email: string }
  | { readonly kind: 'invited member'; readonly email: string }
  | { readonly kind: 'invitation of somebody else' }
  | { readonly kind: 'too many people'; readonly max: number }
  | { readonly kind: 'too many invitations'; readonly max: number }
  | { readonly kind: 'too many accounts'; readonly max: number };

/** Why a password cannot be set or is not accepted. */
export type PasswordReason =
  | { readonly kind: 'password too short'; readonly minLength: number }
  | { readonly kind: 'password too long'; readonly maxLength: number }
  | { readonly kind: 'guessable password' }
  | { readonly kind: 'same password' }
  | { readonly kind: 'wrong current password' }
  | { readonly kind: 'wrong second factor' }
  | { readonly kind: 'unreadable second factor' }
  | { readonly kind: 'too many attempts'; readonly seconds: number };

/** Why a saved design cannot be found or named. */
export type SavedDesignReason =
  | { readonly kind: 'no such saved design'; readonly name: string }
  | { readonly kind: 'saved design exists'; readonly name: string }
  | { readonly kind: 'saved design without a name' };

/** Why a list cannot be shown, or a folder be named. */
export type ListReason =
  | { readonly kind: 'folder without a name' }
  | { readonly kind: 'sorted too far'; readonly max: number };

/** Why no code of a checked table is created, or not all of them. */
export type BatchReason =
  | { readonly kind: 'batch started' }
  | { readonly kind: 'file of the table gone' }
  | { readonly kind: 'every row has a problem' }
  | { readonly kind: 'rows with problems'; readonly refused: number; readonly rows: number }
  | { readonly kind: 'all codes exist' }
  | { readonly kind: 'every row left out' }
  | { readonly kind: 'batch stopped' }
  | { readonly kind: 'plan expired' };

/** Problems of the text of a destination. */
export type DestinationProblem =
  | 'missing'
  | 'no text'
  | 'empty'
  | 'too long'
  | 'no scheme'
  | 'two schemes'
  | 'space or control character'
  | 'space in the host'
  | 'half of a surrogate pair'
  | 'invisible character at an end'
  | 'direction mark'
  | 'backslash'
  | 'user name'
  | 'no host'
  | 'comma in the host'
  | 'percent-encoded host'
  | 'no valid host or port'
  | 'port 0'
  | 'dot too many'
  | 'unusual IP address'
  | 'replaced characters'
  | 'long label'
  | 'long host'
  | 'no host name';

/** What kind of check flags a destination. */
export type FlagSource = 'operator' | 'built-in' | 'remote check' | 'imported list';

/** Why a code cannot lead to a destination. */
export type DestinationReason =
  | {
      readonly kind: 'wrong destination';
      readonly problem: DestinationProblem;
      /** What was typed, shortened. */
      readonly text: string;
      /** The valid URL that was probably meant, or null. */
      readonly meant: string | null;
    }
  | { readonly kind: 'resembles a domain'; readonly text: string }
  | { readonly kind: 'short link of this server' }
  | { readonly kind: 'imported link of this server' }
  | { readonly kind: 'destination cannot be checked' }
  | {
      readonly kind: 'flagged destination';
      readonly source: FlagSource;
      readonly list: string;
      readonly expression: string;
    };

/** What does not exist, or not for this account. */
export type MissingReason =
  | { readonly kind: 'no such code' }
  | { readonly kind: 'no image of an imported link' }
  | { readonly kind: 'no such batch' };

/** What a text for people is that is one line, or may have several. */
export type LineNoun = 'name' | 'folder' | 'business name' | 'reason';
export type LinesNoun = 'note' | 'message';
type LabelNoun = LineNoun | LinesNoun;

/** Why a name, a note or another label cannot be used. The noun says what it is. */
export type LabelReason =
  | { readonly kind: 'several lines in a label'; readonly noun: LineNoun }
  | { readonly kind: 'control characters in a label'; readonly noun: LinesNoun }
  | { readonly kind: 'label is no Unicode'; readonly noun: LabelNoun }
  | { readonly kind: 'label too long'; readonly noun: LabelNoun; readonly maxLength: number }
  | { readonly kind: 'neither on nor off' };

/**
 * Why a file is not read, with what was recognized before, which may be the cause.
 * Such as another sheet.
 */
export type NoticedReason = {
  readonly kind: 'file refused';
  readonly reason: Reason;
  readonly notices: readonly FileNotice[];
};

/** What a label in a cell is. */
type CellNoun = 'name' | 'note' | 'folder' | 'path' | 'query';

/** Why no code is created for a row of a table. */
export type RowReason =
  | { readonly kind: 'computed link' }
  /** The noun says what the cell is for, such as "name", or is the header of its column. */
  | { readonly kind: 'error in a cell'; readonly noun: string; readonly text: string }
  | { readonly kind: 'no result in a cell'; readonly noun: string }
  | { readonly kind: 'split row' }
  | { readonly kind: 'shortened destination'; readonly text: string }
  | { readonly kind: 'label from HTML'; readonly noun: CellNoun; readonly text: string }
  | { readonly kind: 'destination from HTML'; readonly meant: string }
  | { readonly kind: 'lost characters'; readonly noun: CellNoun }
  | {
      readonly kind: 'misread characters';
      readonly noun: CellNoun;
      readonly text: string;
      readonly meant: string;
    }
  | { readonly kind: 'no destination in the row' }
  | { readonly kind: 'row not closed' }
  | { readonly kind: 'same as an earlier row'; readonly row: number }
  /** Also of links. */
  | { readonly kind: 'path of an earlier row'; readonly row: number }
  | { readonly kind: 'code exists' }
  | { readonly kind: 'left out' }
  /** The server failed at it; its log has the cause. */
  | { readonly kind: 'row failed' }
  /** A sentence that an earlier version has stored. */
  | { readonly kind: 'as stored'; readonly text: string };

/** Why something cannot be the target of an allow or block rule. The text is what was given, shortened. */
export type RuleReason =
  | { readonly kind: 'rule for a network'; readonly text: string }
  | { readonly kind: 'rule for a pattern'; readonly text: string }
  | {
      readonly kind: 'rule for a top-level domain';
      readonly text: string;
      readonly topLevel: string;
    }
  | { readonly kind: 'rule for no domain or URL'; readonly text: string };

/** Why a bulk edit is not made, or does not change a code. */
export type BulkEditReason =
  | { readonly kind: 'bulk edit running' }
  | { readonly kind: 'nothing to replace' }
  | { readonly kind: 'too many selected'; readonly max: number }
  | { readonly kind: 'no bulk edit to undo' }
  | { readonly kind: 'changed since'; readonly changed: number; readonly codes: number }
  | {
      readonly kind: 'earlier destination rejected';
      readonly code: string;
      readonly reason: Reason;
    }
  | { readonly kind: 'blocked by the operator' }
  | { readonly kind: 'nothing left of the destination' }
  /** The code has another value than when the edit was asked for. */
  | { readonly kind: 'changed meanwhile' }
  | { readonly kind: 'bulk edit stopped' }
  /** Who asked for the edit may not change codes of the account any more. */
  | { readonly kind: 'editor without a right' };

/** Why a path cannot be that of an imported link, or one more path of a code. */
export type PathReason =
  | { readonly kind: 'path badly encoded' }
  | { readonly kind: 'path empty' }
  | { readonly kind: 'path too long'; readonly maxLength: number }
  | { readonly kind: 'path with control characters' }
  | { readonly kind: 'path with an empty segment' }
  | { readonly kind: 'path of Waymark'; readonly segment: string }
  | { readonly kind: 'path with a slash at the end' }
  | { readonly kind: 'path with a blank at an end' }
  | { readonly kind: 'path with invisible characters' }
  | { readonly kind: 'path of several scripts' }
  | { readonly kind: 'path like own page'; readonly segment: string }
  | { readonly kind: 'path leads back'; readonly path: string }
  | { readonly kind: 'path that programs ask for'; readonly path: string }
  | { readonly kind: 'path exists'; readonly path: string }
  | { readonly kind: 'path in another case'; readonly path: string }
  | { readonly kind: 'path reserved'; readonly path: string };

/** Why a domain cannot be used. */
export type DomainReason =
  | { readonly kind: 'no domain of the account'; readonly url: string }
  | { readonly kind: 'no domain'; readonly text: string }
  | { readonly kind: 'main domain'; readonly url: string }
  /** The settings name it, and the next start would bring it back. */
  | { readonly kind: 'domain of the settings'; readonly url: string }
  | { readonly kind: 'domain exists'; readonly url: string }
  | { readonly kind: 'no such domain'; readonly url: string }
  /** Codes were printed with it. */
  | { readonly kind: 'printed domain'; readonly url: string; readonly codes: number };

/** Why a printed link is not imported, beside what rows of codes may have. */
export type LinkReason =
  | { readonly kind: 'destination in this file' }
  | { readonly kind: 'path of an earlier row and another host'; readonly row: number }
  | { readonly kind: 'path of an image'; readonly path: string; readonly code: string }
  | { readonly kind: 'printed path that programs ask for'; readonly path: string }
  | { readonly kind: 'addresses not read'; readonly name: string }
  | { readonly kind: 'no short address' }
  | { readonly kind: 'short address is no URL' }
  | { readonly kind: 'short address with a query' }
  | { readonly kind: 'short address of another domain'; readonly url: string }
  | { readonly kind: 'no number of scans'; readonly text: string }
  | { readonly kind: 'no date'; readonly of: 'creation' | 'last scan'; readonly text: string }
  | { readonly kind: 'paths created meanwhile'; readonly created: number };

/** Why a change of a code cannot be planned, or not be cancelled. */
export type ScheduleReason =
  | { readonly kind: 'no wall time' }
  | { readonly kind: 'planned time over'; readonly zone: string }
  | { readonly kind: 'planned too far'; readonly years: number }
  | { readonly kind: 'planned end first' }
  | { readonly kind: 'planned end late'; readonly period: 'day' | 'week' }
  | { readonly kind: 'too many planned changes'; readonly max: number }
  | { readonly kind: 'same planned time' }
  | { readonly kind: 'stopped code planned' }
  | { readonly kind: 'no such planned change' };

/** What makes codes fit on labels, or be large enough to read. */
export type Remedy = 'compact' | 'text' | 'margins' | 'grid' | 'smaller' | 'larger' | 'labels';

/** Why a print run cannot be made as asked. */
export type PrintReason =
  | {
      readonly kind: 'wrong page';
      readonly papers: readonly string[];
      readonly minMm: number;
      readonly maxMm: number;
    }
  | { readonly kind: 'wrong lengths'; readonly of: 'margin' | 'gap' }
  | { readonly kind: 'wrong size of codes'; readonly minMm: number; readonly maxMm: number }
  | { readonly kind: 'unknown lines of text'; readonly known: readonly string[] }
  | { readonly kind: 'unknown layout'; readonly name: string }
  | { readonly kind: 'line above too long'; readonly maxLength: number }
  | { readonly kind: 'start beyond the sheet'; readonly labels: number; readonly start: number }
  | { readonly kind: 'labels of fixed dimensions'; readonly layout: string }
  | { readonly kind: 'one label on a roll' }
  | { readonly kind: 'no room for codes' }
  | {
      readonly kind: 'codes do not fit';
      /** Null for codes that are as large as possible. */
      readonly sizeMm: number | null;
      readonly largestMm: number;
      readonly remedies: readonly Remedy[];
    }
  | { readonly kind: 'cut marks on a roll' }
  | { readonly kind: 'margin too small for cut marks'; readonly neededMm: number }
  | {
      readonly kind: 'code too small';
      /** Name of the code, or the code. */
      readonly title: string;
      readonly widthMm: number;
      readonly smallestMm: number;
      readonly remedies: readonly Remedy[];
    }
  | { readonly kind: 'no codes to print' }
  | { readonly kind: 'no images' }
  | { readonly kind: 'too many codes to print'; readonly max: number }
  | { readonly kind: 'too many images'; readonly max: number; readonly found: number };

/** Something that goes wrong with a sheet or a design, and does not stop it. */
export type Caution =
  | {
      readonly kind: 'no font';
      readonly texts: readonly string[];
      /** Packages of Debian with the fonts. */
      readonly packages: readonly string[];
    }
  | { readonly kind: 'texts cut'; readonly titles: readonly string[] }
  | BlackAndWhiteCaution;

/** Why a text cannot be the caption of a design. */
export type CaptionReason =
  | { readonly kind: 'caption too long'; readonly maxCharacters: number }
  | { readonly kind: 'caption letters missing'; readonly letters: readonly string[] };

/** Why no code can be created in a design. */
export type DesignReason = {
  readonly kind: 'design unreadable';
  /** Whether it is the default design of the account. */
  readonly isDefault: boolean;
  readonly reasons: readonly ReadabilityReason[];
  readonly advice: Advice | null;
};

/** The sentences of a surface: one for each kind, as a function of its values. */
export type Sentences<R extends { readonly kind: string }> = {
  readonly [Kind in R['kind']]: (values: Extract<R, { readonly kind: Kind }>) => string;
};

/** Returns the sentence of a reason. */
export function sentenceOf<R extends { readonly kind: string }>(
  sentences: Sentences<R>,
  reason: R,
): string {
  // The cast is safe: a reason has the values of its kind.
  const say = sentences[reason.kind as R['kind']] as (values: R) => string;
  return say(reason);
}
