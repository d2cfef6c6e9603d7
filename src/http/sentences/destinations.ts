import { maxDestinationLength } from '../../core/codes/urls/destination.ts';
import { maxHostLabelLength, maxHostLength } from '../../core/codes/urls/host.ts';
import type {
  DestinationProblem,
  DestinationReason,
  MissingReason,
  Sentences,
} from '../../core/reasons.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { readableUrl } from '../../lib/text/readable-url.ts';
import * as common from '../../sentences/codes.ts';

/** Sentences of problems of a destination. */
const problems: Readonly<Record<DestinationProblem, string>> = {
  missing: 'The body has no "url". Send {"url": "https://…"}.',
  'no text': '"url" must be a string.',
  empty: '"url" is empty.',
  'too long': `The URL is longer than ${maxDestinationLength} characters.`,
  'no scheme': 'The URL must begin with http:// or https://.',
  'two schemes': 'The URL has two schemes.',
  'space or control character':
    'The URL contains a space or a control character; percent-encode it.',
  'half of a surrogate pair': 'The URL contains half of a surrogate pair.',
  'space in the host': 'There is a space or a control character in the host.',
  'invisible character at an end':
    'The URL begins or ends with a space or an invisible character. Remove it.',
  'direction mark':
    'The URL contains a mark that changes the direction of text, by which it would be read as another. Remove the mark.',
  backslash: 'The URL contains a backslash. Write / or, if it is meant, %5C.',
  'user name': 'The URL must not carry a user name or password.',
  'no host': 'The URL has no host.',
  'comma in the host': 'There is a comma in the host.',
  'percent-encoded host': 'The host is percent-encoded. Write it in plain characters.',
  'no valid host or port': 'The URL has no valid host or port.',
  'port 0': 'The port is 0, at which nothing can be reached.',
  'dot too many': 'The host has a dot too many.',
  'unusual IP address':
    'The host is an unusual spelling of an IP address. Write four decimal numbers, such as 192.0.2.7.',
  'replaced characters': 'The host has characters that browsers replace or drop.',
  'long label': `A part of the host between two dots is longer than ${maxHostLabelLength} characters.`,
  'long host': `The host is longer than ${maxHostLength} characters.`,
  'no host name': 'The host has a character or a hyphen where no host name can have one.',
};

export const destinationSentences = (t: Texts): Sentences<DestinationReason> => ({
  ...common.destinationSentences(t),
  'wrong destination': ({ problem, meant }) =>
    meant === null ? problems[problem] : `${problems[problem]} Did you mean ${readableUrl(meant)}?`,
  'resembles a domain': ({ text }) =>
    `"${readableUrl(text.slice(0, 60).toWellFormed())}" may be a file or a name. If it is an address, write https:// before it.`,
  'short link of this server': () =>
    'The URL is a short link of this server and would redirect in a loop.',
  'imported link of this server': () =>
    'The URL is an imported link of this server and could redirect in a loop.',
  'flagged destination': ({ source, list, expression }) => {
    const reason = {
      operator: `the operator of this server has blocked "${expression}"`,
      'built-in': `"${expression}" is a published test address`,
      'remote check': `the remote check "${list}" flags "${expression}"`,
      'imported list': `"${expression}" is on the list "${list}"`,
    }[source];
    return `The destination is flagged as dangerous: ${reason}.`;
  },
});

export const missingSentences = (t: Texts): Sentences<MissingReason> => ({
  ...common.missingSentences(t),
  'no such code': () => 'There is no QR with this code.',
  'no such batch': () => 'There is no such batch.',
});
