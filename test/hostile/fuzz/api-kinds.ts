import fc from 'fast-check';
import { asList, asRecord, outcome } from '../../support/wire.ts';
import { ask } from '../talk.ts';
import { almostJson, likelyUrl, text, visible, word } from './inputs.ts';
import { expectOneOf, type Kind, kind } from './kind.ts';

/** What a client of the API can send through any library. */
export const apiKinds: readonly Kind[] = [
  kind('bodies of any bytes', fc.uint8Array({ maxLength: 400 }), async ({ api, qr }, body) =>
    expectOneOf(
      outcome(await api.call(`PATCH /qrs/${qr.code}`, Uint8Array.from(body))),
      /^400 invalid_json$/,
      [...body],
    ),
  ),
  kind(
    'bodies of JSON and almost JSON',
    fc.oneof(fc.json({ maxDepth: 6 }), almostJson),
    async ({ api }, body) =>
      expectOneOf(outcome(await api.call('POST /qrs', body)), /^400 invalid_(json|url)$/, body),
  ),
  kind(
    'fields of any name and value beside a url',
    fc.dictionary(fc.oneof(text, word), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: false }),
    async ({ api, qr }, fields) => {
      const url = 'https://example.org/beside';
      const answer = await api.call(`PATCH /qrs/${qr.code}`, { ...fields, url });
      const found = asRecord(answer.json);
      if (found.destination !== url || found.code !== qr.code || found.scans !== qr.scans)
        throw new Error(`${JSON.stringify(fields)} changed ${answer.text}`);
      return outcome(answer);
    },
  ),
  kind(
    'destinations',
    fc.oneof(text, likelyUrl, fc.webUrl({ withFragments: true, withQueryParameters: true })),
    async ({ api, qr, origin }, url) => {
      const answer = await api.call(`PATCH /qrs/${qr.code}`, { url });
      if (answer.status !== 200)
        return expectOneOf(outcome(answer), /^(400 invalid_url|422 unsafe_url)$/, url);
      if (asRecord(answer.json).destination !== url) throw new Error(`not as sent: ${url}`);
      const link = await ask(origin, `GET /${qr.code} HTTP/1.1`);
      const location = link.headers.get('location') ?? '';
      if (!/^https?:\/\/[\x21-\x7e]+$/i.test(location)) throw new Error(`Location: ${location}`);
      if (new URL(location).href !== new URL(url).href) throw new Error(`elsewhere: ${location}`);
      return `200, then ${link.status}`;
    },
  ),
  kind(
    'queries',
    fc.array(fc.tuple(word, fc.oneof(word, fc.double().map(String))), { maxLength: 6 }),
    async ({ api, qr }, pairs) => {
      const query = pairs
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
        .join('&');
      const list = asList((await api.call(`GET /qrs?${query}`)).json);
      if (list.limit < 1 || list.limit > 100 || list.offset < 0 || list.data.length > list.limit)
        throw new Error(`${query}: ${list.limit}, ${list.offset}`);
      return outcome(await api.call(`GET /qrs/${qr.code}.svg?${query}`));
    },
  ),
  kind(
    'codes',
    fc.oneof(
      visible,
      text.map((one) => encodeURIComponent(one.toWellFormed())),
    ),
    async ({ api, qr }, code) => {
      const segment = code.replace(/[/?#\\]|^\.+$|^(%2e|\.)+$/gi, '_');
      const answer = await api.call(`GET /qrs/${segment}`);
      if (answer.status === 200 && segment.toLowerCase() === '') return '200 list';
      return expectOneOf(
        outcome(answer),
        segment.includes(qr.code) ? /^(200|404)/ : /^404 not_found$/,
        code,
      );
    },
  ),
];
