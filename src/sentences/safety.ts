import type { RuleReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/**
 * Returns why something cannot be the target of an allow or block rule.
 *
 * @param url what the reader calls a URL, with its article
 */
export const ruleSentences = (_: Texts, url: 'a URL' | 'an address'): Sentences<RuleReason> => ({
  'rule for a network': ({ text }) =>
    `${JSON.stringify(text)} is a network. Give single addresses.`,
  'rule for a pattern': ({ text }) =>
    `${JSON.stringify(text)} is a pattern. A star is possible only in front, as in *.zip. A domain stands for its subdomains too, and ${url} that ends in a slash for everything below it: write evil.example or evil.example/shop/.`,
  'rule for a top-level domain': ({ text, topLevel }) =>
    `${JSON.stringify(text)} alone would match every address that ends in .${topLevel}. Give a domain, such as evil.${topLevel}, or write *.${topLevel} if you mean them all.`,
  'rule for no domain or URL': ({ text }) =>
    `${JSON.stringify(text)} is neither a domain nor ${url}. Write evil.example or https://evil.example/shop/.`,
});
