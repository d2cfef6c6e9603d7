import agents from 'crawler-user-agents';
import { list } from 'isbot';
import { browser, contact } from '../text/agent-shapes.ts';

/** An entry of crawler-user-agents. The types of the package lack the tags. */
export interface ListedAgent {
  readonly pattern: string;
  readonly instances: readonly string[];
  readonly tags?: readonly string[];
}

/** Returns the entries of crawler-user-agents without generic HTTP clients, which are people. */
export function listedAgents(): readonly ListedAgent[] {
  const entries: readonly ListedAgent[] = agents;
  return entries.filter(({ tags = [] }) => !tags.includes('http-library'));
}

/** Sources of regular expressions, without regard to case, that match names of agents. */
export interface AgentNames {
  /** Crawlers, monitors, scanners and archivers. */
  readonly crawlers: string;
  /**
   * Those of `crawlers` that are robots in a browser's agent too.
   * There, others are names of apps and phones.
   */
  readonly crawlersInBrowsers: string;
  /** Servers of apps, which fetch previews and feeds. Browsers inside of these apps have the names too. */
  readonly apps: string;
  /** Those of `apps` that fetch previews of links. */
  readonly previewers: string;
}

/**
 * Names of crawler-user-agents that people have too.
 * A build of Android, apps with a window of their own, words.
 */
const namesOfPeople = new Set([
  'AP3A\\.240617\\.008',
  'Butterfly',
  'Code\\/1\\.',
  'Fetch\\/',
  'Fluid',
  'MetaIAB Facebook',
  'Sogou',
  'Sonic',
  'Trae\\/',
  'Viber',
  'speedy',
]);

/** Names of crawler-user-agents whose apps have a browser too, beside those tagged so. */
const namesOfApps = new Set(
  [
    'Asana',
    'Daum',
    'Freespoke',
    'Grammarly',
    'Hype Machine',
    'IFTTT',
    'Instapaper',
    'Klaviyo',
    'Make',
    'PayPal',
    'Trustly',
  ]
    .map((name) => `${name}\\/`)
    .concat('Swisscows', 'Tweakers'),
);

/** Tags of robots that run browsers. Apps that people use are not listed under them. */
const tagsOfBrowsers = ['archiver', 'browser-automation', 'monitoring', 'scanner'];

/** Entries of isbot that are no robots: clients of scanner apps, toolbars, and words in names of apps. */
const entriesOfPeople =
  /^\^?(?:advisor|analyzer|apache|archive|capture|checker|chromeframe|classifier|client|convertify|cursor|discovery|download|insight|inspect|library|mail\\\.ru|measure|monitor|navermailapp|netsurf|offline|optimize|postman|productfinder|retriever|snapchat|supercleaner|torrent|validator|virtuoso)/;

/**
 * Reads the names of agents that crawler-user-agents and isbot list.
 * A Bun macro: it runs while the program is bundled, so that a server loads expressions instead of the lists.
 */
export function readAgentNames(): AgentNames {
  const listed = listedAgents().filter(
    ({ pattern }) =>
      !namesOfPeople.has(pattern) &&
      // Would take the square of the agent's length.
      !pattern.includes(']*'),
  );
  const previewers = listed.filter(({ tags = [] }) => tags.includes('social-preview'));
  const apps = listed.filter(
    ({ pattern, tags = [] }) =>
      namesOfApps.has(pattern) || tags.includes('social-preview') || tags.includes('feed-reader'),
  );
  const others = listed.filter((agent) => !apps.includes(agent));
  const inBrowsers = others.filter(
    ({ instances, tags = [] }) =>
      tags.some((tag) => tagsOfBrowsers.includes(tag)) ||
      // Robots with an address are recognized by it.
      instances.some((agent) => browser.test(agent) && !contact.test(agent)),
  );
  const patternOf = ({ pattern }: ListedAgent) => pattern;
  // Entries with other characters describe shapes, such as a name and a version.
  const names = list.filter(
    (entry) => /^\^?[\w ./-]{7,}$/.test(entry.replaceAll('\\', '')) && !entriesOfPeople.test(entry),
  );
  return {
    crawlers: joined([...others.map(patternOf), ...names]),
    crawlersInBrowsers: joined([...inBrowsers.map(patternOf), ...names]),
    apps: joined(apps.map(patternOf)),
    previewers: joined(previewers.map(patternOf)),
  };
}

/**
 * Joins patterns.
 * Names start a word, which spares most positions of an agent, and those with the same first letter share it, which
 * spares most comparisons at the others.
 */
function joined(patterns: readonly string[]): string {
  // A bar outside of parentheses separates two names.
  const names = patterns.flatMap((pattern) =>
    pattern.includes('(') ? pattern : pattern.split('|'),
  );
  const byLetter = Map.groupBy(names, (name) =>
    /^[a-z]/i.test(name) ? name[0]?.toLowerCase() : '',
  );
  const groups = Array.from(byLetter, ([letter, group]) =>
    letter ? `${letter}(?:${group.map((name) => name.slice(1)).join('|')})` : group.join('|'),
  );
  return `(?<![a-z0-9])(?:${groups.join('|')})`;
}
