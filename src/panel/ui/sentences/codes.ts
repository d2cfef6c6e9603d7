import { maxDestinationLength } from '../../../core/codes/urls/destination.ts';
import { maxHostLabelLength, maxHostLength } from '../../../core/codes/urls/host.ts';
import type {
  BatchReason,
  BulkEditReason,
  DestinationProblem,
  DestinationReason,
  LabelReason,
  LinkReason,
  ListReason,
  MissingReason,
  PathReason,
  Reason,
  RowReason,
  Sentences,
} from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { formatCount, formatNumber, plural } from '../../../lib/numbers.ts';
import { readableUrl } from '../../../lib/text/readable-url.ts';
import * as common from '../../../sentences/codes.ts';
import { linkSentences as commonLinkSentences, pathSentences } from '../../../sentences/links.ts';
import {
  batchSentences as commonBatchSentences,
  rowSentences as commonRowSentences,
} from '../../../sentences/tables.ts';
import { formatExpression, formatListName } from '../formatting.ts';

/** Sentences of problems of an address. Its field adds https:// to what begins with a domain. */
const problems: Readonly<Record<Exclude<DestinationProblem, 'no scheme'>, string>> = {
  missing: 'Enter the address that opens, such as https://example.com/menu.',
  'no text': 'Enter the address that opens, such as https://example.com/menu.',
  empty: 'Enter the address that opens, such as https://example.com/menu.',
  'too long': `The destination is longer than ${formatNumber(maxDestinationLength)} characters. Use a shorter one.`,
  'two schemes': 'The destination begins with https:// or http:// twice.',
  'space or control character':
    'There is a space or a control character in the destination. Write %20 for a space.',
  'half of a surrogate pair': 'There is a broken character in the destination. Copy it again.',
  'space in the host': 'There is a space in the host name. Remove it.',
  'invisible character at an end':
    'The destination begins or ends with a space or an invisible character. Remove it.',
  'direction mark':
    'There is an invisible mark in the destination that changes the direction of text. Remove it.',
  backslash: 'There is a backslash in the destination. Write / or, if it is meant, %5C.',
  'user name': 'The destination must not have a user name or password.',
  'no host': 'The destination has no host name, such as example.com.',
  'comma in the host': 'There is a comma in the host name.',
  'percent-encoded host': 'The host name is percent-encoded. Write it in plain characters.',
  'no valid host or port': 'The destination has no valid host name or port.',
  'port 0': 'The port is 0, at which nothing can be reached.',
  'dot too many': 'The host name has a dot too many.',
  'unusual IP address':
    'The host is an unusual spelling of an IP address. Write four numbers, such as 192.0.2.7.',
  'replaced characters': 'The host name has characters that browsers replace or drop.',
  'long label': `A part of the host name is longer than ${maxHostLabelLength} characters.`,
  'long host': `The host name is longer than ${maxHostLength} characters.`,
  'no host name': 'The host name has a character or a hyphen where it can’t have one.',
};

/** Returns what an address without http:// lacks: mostly something else. */
function withoutScheme(text: string): string {
  // Digits after a colon are mostly a port.
  if (/^(?:[a-z][a-z0-9+.-]*:(?:$|\D)|(?:tel|sms):)/i.test(text))
    return 'The destination must begin with http:// or https://.';
  if (/^https?[/;]/i.test(text)) return 'The colon after http or https is missing.';
  const [host = ''] = /^[^/?#]*/.exec(text) ?? [];
  if (host.includes(',')) return problems['comma in the host'];
  if (/\s/.test(text))
    return 'This is no address: there is a space in it. An address must begin with http:// or https://.';
  if (/^(?:[^.]+\.)?localhost(?::|$)/i.test(host))
    return '“localhost” is the phone itself. Use an address that phones can open.';
  if (!host.includes('.') && host !== '')
    return `“${readableUrl(host)}” is not a complete host name. Write it with its ending, such as example.com.`;
  return 'This is no address that a browser opens. It must begin with http:// or https://.';
}

export const destinationSentences = (t: Texts): Sentences<DestinationReason> => ({
  ...common.destinationSentences(t),
  'wrong destination': ({ problem, text, meant }) => {
    const said = problem === 'no scheme' ? withoutScheme(text) : problems[problem];
    return meant === null ? said : `${said} Did you mean ${readableUrl(meant)}?`;
  },
  'resembles a domain': ({ text }) =>
    `"${readableUrl(text.slice(0, 60).toWellFormed())}" may be a file or a name. If it is an address, write https:// before it.`,
  'short link of this server': () =>
    'This is a short link of this server, and would redirect in a loop.',
  'imported link of this server': () =>
    'This is an imported link of this server, and could redirect in a loop.',
  'flagged destination': ({ source, list, expression }) => {
    const address = `“${formatExpression(expression)}”`;
    const reason = {
      operator: `the operator of this server has blocked ${address}`,
      'built-in': `${address} is a published test address`,
      'remote check': `${formatListName(list, t)} flags ${address}`,
      'imported list': `${address} is on ${formatListName(list, t)}`,
    }[source];
    return `The destination is flagged as dangerous: ${reason}.`;
  },
});

export const missingSentences = (t: Texts): Sentences<MissingReason> => ({
  ...common.missingSentences(t),
  'no such code': () => 'There is no such code, or you do not have access to it.',
  'no such batch': () => 'There is no such table any more.',
});

export const labelSentences = (t: Texts): Sentences<LabelReason> => ({
  ...common.labelSentences(t),
  'control characters in a label': ({ noun }) => `A ${noun} can’t have control characters.`,
  'label is no Unicode': ({ noun }) => `There is a broken character in the ${noun}.`,
});

export const listSentences = (t: Texts): Sentences<ListReason> => ({
  ...common.listSentences(t),
  'sorted too far': ({ max }) =>
    `Only the first ${formatNumber(max)} codes of this list can be sorted. Use an earlier page, a search or a filter.`,
});

export const batchSentences = (t: Texts): Sentences<BatchReason> => ({
  ...commonBatchSentences(t),
  'plan expired': () => 'This needs an active plan. Printed codes keep working.',
});

export const rowSentences = (t: Texts): Sentences<RowReason> => ({
  ...commonRowSentences(t),
  'no destination in the row': () => 'Where should this code lead?',
});

/** Links are imported with a command. The panel shows these when a path is looked up. */
export const linkSentences = (t: Texts): Sentences<LinkReason | PathReason> => ({
  ...pathSentences(t),
  ...commonLinkSentences(t),
  'path with control characters': () => 'The path has characters that a path can’t have.',
  'path with an empty segment': () => 'The path has an empty part, “.” or “..”.',
  'path reserved': ({ path }) =>
    `/${path} belonged to somebody else until lately, and people may still have it. Choose another path.`,
  'destination in this file': () => 'The destination is one of these links itself.',
  'path of an image': ({ path, code }) => `/${path} is the picture of the code ${code}.`,
  'path that programs ask for': ({ path }) =>
    `Browsers ask for /${path} by themselves, and each time would count as a scan. Choose another path.`,
  'printed path that programs ask for': ({ path }) => `Browsers ask for /${path} by themselves.`,
  'short address is no URL': () => 'The short link can’t be opened.',
  'short address with a query': () => 'A short link can’t have a question mark or a hash.',
  'no date': ({ text }) => `“${text}” is no date. Write it like 2026-01-31.`,
  'paths created meanwhile': () => 'Somebody else created one of the paths meanwhile. Try again.',
});

/** @param say the sentence of another reason */
export function bulkEditSentences(
  t: Texts,
  say: (reason: Reason) => string,
): Sentences<BulkEditReason> {
  return {
    ...common.bulkEditSentences(t, say),
    'bulk edit running': () =>
      'Another change of many codes is running, or was interrupted. Try again in a minute.',
    'nothing to replace': () => 'Enter the part of the destination that is to be replaced.',
    'too many selected': ({ max }) =>
      `More than ${formatNumber(max)} codes are selected. Search for a part of them, and repeat the change for the others.`,
    'changed since': ({ changed, codes }) =>
      `${formatNumber(changed)} of the ${formatCount(codes, 'code')} ${plural(changed, 'was', 'were')} changed since, so this can’t be undone.`,
  };
}
