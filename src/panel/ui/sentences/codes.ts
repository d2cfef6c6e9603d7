import { maxDestinationLength } from '../../../core/codes/urls/destination.ts';
import { maxHostLabelLength, maxHostLength } from '../../../core/codes/urls/host.ts';
import type {
  BatchReason,
  BulkEditReason,
  DestinationProblem,
  DestinationReason,
  LabelReason,
  ListReason,
  MissingReason,
  PathReason,
  Reason,
  RowReason,
  Sentences,
} from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { readableUrl } from '../../../lib/text/readable-url.ts';
import * as common from '../../../sentences/codes.ts';
import { pathSentences as commonPathSentences } from '../../../sentences/links.ts';
import { sentencesOf } from '../../../sentences/lists.ts';
import {
  batchSentences as commonBatchSentences,
  rowSentences as commonRowSentences,
} from '../../../sentences/tables.ts';
import { flagSources, formatExpression } from '../formatting.ts';

/** Says what is wrong with an address. Its field adds https:// to what begins with a domain. */
function problemOf(
  problem: DestinationProblem,
  text: string,
  t: Texts['destinationReasons'],
): string {
  switch (problem) {
    case 'missing':
    case 'no text':
    case 'empty':
      return t.missing;
    case 'too long':
      return t.tooLong({ chars: maxDestinationLength });
    case 'no scheme':
      return withoutScheme(text, t);
    case 'two schemes':
      return t.twoSchemes;
    case 'space or control character':
      return t.space;
    case 'half of a surrogate pair':
      return t.brokenCharacter;
    case 'space in the host':
      return t.spaceInHost;
    case 'invisible character at an end':
      return t.invisibleAtEnd;
    case 'direction mark':
      return t.directionMark;
    case 'backslash':
      return t.backslash;
    case 'user name':
      return t.userName;
    case 'no host':
      return t.noHost;
    case 'comma in the host':
      return t.commaInHost;
    case 'percent-encoded host':
      return t.encodedHost;
    case 'no valid host or port':
      return t.noValidHost;
    case 'port 0':
      return t.portZero;
    case 'dot too many':
      return t.dotTooMany;
    case 'unusual IP address':
      return t.unusualIp;
    case 'replaced characters':
      return t.replacedCharacters;
    case 'long label':
      return t.longLabel({ chars: maxHostLabelLength });
    case 'long host':
      return t.longHost({ chars: maxHostLength });
    case 'no host name':
      return t.noHostName;
  }
}

/** Says what an address without http:// lacks: mostly something else. */
function withoutScheme(text: string, t: Texts['destinationReasons']): string {
  // Digits after a colon are mostly a port.
  if (/^(?:[a-z][a-z0-9+.-]*:(?:$|\D)|(?:tel|sms):)/i.test(text)) return t.otherScheme;
  if (/^https?[/;]/i.test(text)) return t.colonMissing;
  const [host = ''] = /^[^/?#]*/.exec(text) ?? [];
  if (host.includes(',')) return t.commaInHost;
  if (/\s/.test(text)) return t.spaceInText;
  if (/^(?:[^.]+\.)?localhost(?::|$)/i.test(host)) return t.localhost;
  if (!host.includes('.') && host !== '') return t.incompleteHost({ host: readableUrl(host) });
  return t.noAddress;
}

export function destinationSentences(texts: Texts): Sentences<DestinationReason> {
  const { destinationReasons: t } = texts;
  return {
    ...common.destinationSentences(texts),
    'wrong destination': ({ problem, text, meant }) => {
      const said = problemOf(problem, text, t);
      return meant === null
        ? said
        : sentencesOf([said, t.didYouMean({ address: readableUrl(meant) })], texts);
    },
    'resembles a domain': ({ text }) =>
      t.likeFile({ text: readableUrl(text.slice(0, 60).toWellFormed()) }),
    'short link of this server': () => t.shortLink,
    'imported link of this server': () => t.importedLink,
    'flagged destination': ({ source, list, expression }) =>
      t.flagged({ source: flagSources[source], list, address: formatExpression(expression) }),
  };
}

export const missingSentences = (texts: Texts): Sentences<MissingReason> => ({
  ...common.missingSentences(texts),
  'no such code': () => texts.codeReasons.noSuchCode,
  'no such batch': () => texts.codeReasons.noSuchTable,
});

export function labelSentences(texts: Texts): Sentences<LabelReason> {
  const { labelReasons: t } = texts;
  return {
    ...common.labelSentences(texts),
    'control characters in a label': ({ noun }) => t.controlCharacters({ label: noun }),
    'label is no Unicode': ({ noun }) =>
      t.brokenCharacter({ label: noun === 'business name' ? 'businessName' : noun }),
  };
}

export const listSentences = (texts: Texts): Sentences<ListReason> => ({
  ...common.listSentences(texts),
  'sorted too far': ({ max }) => texts.codeReasons.sortedTooFar({ codes: max }),
});

export const batchSentences = (texts: Texts): Sentences<BatchReason> => ({
  ...commonBatchSentences(texts),
  'plan expired': () => texts.tableReasons.needsPlan,
});

export const rowSentences = (texts: Texts): Sentences<RowReason> => ({
  ...commonRowSentences(texts),
  'no destination in the row': () => texts.rowReasons.noDestination,
});

export function pathSentences(texts: Texts): Sentences<PathReason> {
  const { pathReasons: t } = texts;
  return {
    ...commonPathSentences(texts),
    'path with control characters': () => t.impossibleCharacters,
    'path with an empty segment': () => t.emptyPart,
    'path reserved': t.ofSomebodyElse,
    'path that programs ask for': t.askedByBrowsers,
  };
}

/** @param say the sentence of another reason */
export function bulkEditSentences(
  texts: Texts,
  say: (reason: Reason) => string,
): Sentences<BulkEditReason> {
  const { bulkEditReasons: t } = texts;
  return {
    ...common.bulkEditSentences(texts, say),
    'bulk edit running': () => t.running,
    'nothing to replace': () => t.nothingToReplace,
    'too many selected': t.tooManySelected,
    'changed since': ({ changed, codes }) =>
      codes === 1 ? t.oneChangedSince : t.changedSince({ changed, codes }),
  };
}
