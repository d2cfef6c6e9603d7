import { expressionsOf, hashOf } from '../url/expressions.ts';
import { type HashSearch, hashSearchFromJson, hashSearchFromProtobuf } from './hash-search.ts';
import { malformed, type Protocol, safe } from './provider.ts';
import { type GoogleConnection, jsonOf, type ProviderResponse, request } from './request.ts';

const prefixBytes = 4;

/**
 * Creates the protocol of Google Safe Browsing v5, `hashes:search`, without local lists: sends the
 * first four bytes of the hashes of a URL's expressions. For non-commercial use.
 *
 * @see https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search
 */
export function createSafeBrowsingV5(options: GoogleConnection): Protocol {
  const { key, url: base = 'https://safebrowsing.googleapis.com' } = options;
  return {
    name: 'v5',
    ask: async (url) => {
      const expressions = expressionsOf(url);
      const prefixes = expressions.map((expression) => hashOf(expression).subarray(0, prefixBytes));
      const query = new URLSearchParams(
        prefixes.map((prefix) => ['hashPrefixes', prefix.toBase64()]),
      );
      query.set('key', key);
      const response = await request(options, `${base}/v5/hashes:search?${query}`, {});
      const { threats, cacheMs } = parse(response);
      // Other full hashes with the same prefix belong to other URLs.
      const expression = expressions.find((text) => threats.has(hashOf(text).toHex()));
      return { verdict: expression === undefined ? safe : { unsafe: true, expression }, cacheMs };
    },
  };
}

function parse(response: ProviderResponse): HashSearch {
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/(?:[a-z.+-]*\+)?json\b/i.test(type))
    return hashSearchFromJson(jsonOf(response));
  // The page of a gateway could be a valid message by chance, and an empty body always is one.
  const isPage = /^text\/html\b/i.test(type);
  if (isPage || (response.body.length === 0 && !/protobuf|octet-stream/i.test(type)))
    throw malformed();
  return hashSearchFromProtobuf(response.body);
}
