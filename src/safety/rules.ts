import type { Rule } from '../core/rule.ts';
import { entryExpression, hashOf, isNetwork } from './expressions.ts';
import { announceChange, pathsOf } from './generation.ts';
import { isObject } from './json.ts';
import { putRecord, readRecords, removeRecord } from './records.ts';
import { SafetyRefused } from './refused.ts';

/**
 * Blocks a domain with everything below it, a folder (the URL ends in a slash) or one URL. A rule for
 * the same is replaced.
 *
 * @throws SafetyRefused when the text is neither a domain nor a URL, or a network
 */
export function block(
  folder: string,
  text: string,
  when: { nowMs: number; note?: string },
): Promise<Rule> {
  return decide(folder, 'block', text, when);
}

/** Allows what lists or providers flag; otherwise like block. */
export function allow(
  folder: string,
  text: string,
  when: { nowMs: number; note?: string },
): Promise<Rule> {
  return decide(folder, 'allow', text, when);
}

/**
 * Takes a rule back. False when there was none.
 *
 * @throws SafetyRefused when the text is neither a domain nor a URL
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
  { nowMs: addedAtMs, note = '' }: { nowMs: number; note?: string },
): Promise<Rule> {
  if (isNetwork(text.trim()))
    throw new SafetyRefused(`${JSON.stringify(text)} is a network; give single addresses.`);
  const rule = { decision, expression: parseExpression(text), addedAtMs, note };
  await putRecord(pathsOf(folder).rules, nameOf(rule.expression), rule);
  await announceChange(folder);
  return rule;
}

function parseExpression(text: string): string {
  const expression = entryExpression(text.trim());
  if (expression !== null) return expression;
  throw new SafetyRefused(`${JSON.stringify(text)} is neither a domain nor a URL.`);
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
