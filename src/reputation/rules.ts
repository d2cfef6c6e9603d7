import type { Rule } from '../core/safety/rule.ts';
import { isObject } from '../lib/json.ts';
import { InvalidListRequest } from './errors.ts';
import { isEntries, readEntry } from './lists/formats.ts';
import { announceChange, pathsOf } from './lists/generation.ts';
import { putRecord, readRecords, removeRecord } from './lists/records.ts';
import { entryExpression, hashOf, isNetwork } from './url/expressions.ts';

interface Circumstances {
  readonly nowMs: number;
  readonly note?: string;
  /** Where this server itself is reached, without a trailing slash. */
  readonly ownBases?: readonly string[];
}

/**
 * Blocks a domain with everything below it, a folder (the URL ends in a slash), one URL, or a whole
 * top-level domain written as `*.zip`. A rule for the same is replaced.
 *
 * @throws InvalidListRequest when the text is none of these, a network, or this server itself
 */
export function block(folder: string, text: string, how: Circumstances): Promise<Rule> {
  return decide(folder, 'block', text, how);
}

/** Allows what lists or providers flag; otherwise like block. */
export function allow(folder: string, text: string, how: Circumstances): Promise<Rule> {
  return decide(folder, 'allow', text, how);
}

/**
 * Takes a rule back. False when there was none.
 *
 * @throws InvalidListRequest when the text is neither a domain nor a URL
 */
export async function remove(folder: string, text: string): Promise<boolean> {
  const removed = await removeRecord(pathsOf(folder).rules, nameOf(parseExpression(text)));
  if (removed) await announceChange(folder);
  return removed;
}

/** All rules by expression, and the names of files that hold none. */
export async function listRules(folder: string): Promise<{ rules: Rule[]; damaged: string[] }> {
  const { records, damaged } = await readRecords(pathsOf(folder).rules, parseRecord);
  records.sort((a, b) => (a.expression < b.expression ? -1 : 1));
  return { rules: records, damaged };
}

async function decide(
  folder: string,
  decision: 'allow' | 'block',
  text: string,
  { nowMs: addedAtMs, note = '', ownBases = [] }: Circumstances,
): Promise<Rule> {
  const expression = parseRule(text.trim());
  if (ownBases.some((base) => covers(expression, `${base}/`)))
    throw new InvalidListRequest(
      `${quoted(text)} is this server itself. Give the address that a code leads to.`,
    );
  const rule = { decision, expression, addedAtMs, note };
  await putRecord(pathsOf(folder).rules, nameOf(rule.expression), rule);
  await announceChange(folder);
  return rule;
}

/** What a new rule stands for: whatever a list may hold, and a top-level domain that is spelled out. */
function parseRule(text: string): string {
  if (isNetwork(text))
    throw new InvalidListRequest(`${quoted(text)} is a network; give single addresses.`);
  const expression = parseExpression(text);
  const [, name] = /^([^.:/[]*[a-z][^.:/[]*)\/$/.exec(expression) ?? [];
  if (name !== undefined && !text.startsWith('*.'))
    throw new InvalidListRequest(
      `${quoted(text)} alone stands for every address that ends in .${name}. ` +
        `Give a domain, such as evil.${name}, or write *.${name} if you mean them all.`,
    );
  if (name === undefined && !isEntries(readEntry(text))) throw noRule(text);
  return expression;
}

/** A text in a message, which a very long one would bury. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

/** Whether an entry is for an address itself or a folder above it on the same host. */
function covers(expression: string, url: string): boolean {
  return expression.endsWith('/') && entryExpression(url)?.startsWith(expression) === true;
}

function parseExpression(text: string): string {
  const expression = entryExpression(text.trim());
  if (expression !== null) return expression;
  throw noRule(text);
}

function noRule(text: string): InvalidListRequest {
  return new InvalidListRequest(
    `${quoted(text)} is neither a domain nor a URL. Write evil.example or https://evil.example/shop/.`,
  );
}

/** A file name for any expression: long enough never to meet another, and safe everywhere. */
function nameOf(expression: string): string {
  return Buffer.from(hashOf(expression)).toString('hex');
}

function parseRecord(value: unknown): Rule | null {
  if (!isObject(value)) return null;
  const { decision, expression, addedAtMs, note } = value;
  if (decision !== 'allow' && decision !== 'block') return null;
  if (typeof expression !== 'string' || typeof note !== 'string') return null;
  return typeof addedAtMs === 'number' ? { decision, expression, addedAtMs, note } : null;
}
