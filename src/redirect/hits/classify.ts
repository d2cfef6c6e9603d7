import type { RequestKind } from '../../core/scans/hit.ts';
import { readAgentNames } from '../../lib/build/agent-names.macro.ts' with { type: 'macro' };
import { createCache } from '../../lib/cache.ts';
import { browser, contact } from '../../lib/text/agent-shapes.ts';

// Bounds the cost of a match. What is behind it names nobody.
const maxAgentLength = 512;

// Few agents make most of the scans, and matching one takes a twentieth of a redirect.
const kindsByAgent = createCache<string, RequestKind>(1000);

/** Classifies a request to a short link. Only the kind is stored. */
export function classifyHit(method: string, headers: Headers): RequestKind {
  if (method === 'HEAD') return 'head';
  if (purposeHeaders.some((name) => isPrefetch(headers.get(name)))) return 'prefetch';
  const agent = headers.get('user-agent')?.slice(0, maxAgentLength);
  if (agent === undefined || agent === '') return 'scan';
  const known = kindsByAgent.get(agent);
  if (known !== undefined) return known;
  const kind = kindOfAgent(agent);
  const hitKind = kind === 'person' ? 'scan' : kind;
  kindsByAgent.set(agent, hitKind);
  return hitKind;
}

// The Fetch standard's, and those of older browsers: WebKit sends X-Purpose, Gecko X-Moz.
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Matches values such as `prefetch;prerender` and `preview`. */
function isPrefetch(purpose: string | null): boolean {
  return purpose !== null && /\b(prefetch|prerender|preview)\b/i.test(purpose);
}

/** Kinds of user agents. Generic HTTP clients are people, because scanner apps use them. */
type AgentKind = 'person' | 'preview' | 'crawler';

const names = readAgentNames();
const crawlers = new RegExp(names.crawlers, 'i');
const crawlersInBrowsers = new RegExp(names.crawlersInBrowsers, 'i');
const previewers = new RegExp(names.previewers, 'i');
const apps = new RegExp(names.apps, 'i');

/** Previewers that the lists lack, or tell from the apps of people by the whole agent only. */
const morePreviewers =
  /^Viber(?:\/[\d.]+)?$|^Misskey|^Mattermost|^Discourse\b|^Rocket\.?Chat|^Zulip|^Akkoma|^Pleroma|^Yahoo:LinkExpander|Notion ?bot|^Notion\/|matrix-media-repo|Facebot|Pinterest(?:bot|\/0\.)|Snap URL Preview|Line\/PreviewBot|Google-PageRenderer|BitlyBot|kakaotalk-scrap|ZoomBot|Bluesky Cardyb|Slack-ImgProxy|(?:link|url)[ -]?preview|link ?expand|unfurl/i;
/** Robots that social-preview sites run for other purposes. */
const socialCrawlers = /meta-(?:external(?:agent|fetcher|ads)|webindexer)|spider\b|AASA-Bot/i;

/**
 * Words by which a robot names itself inside a browser's agent too.
 * Those before "bot" are of a phone (Cubot) and of apps (iRobot, QRbot).
 */
const robotWords =
  /(?<!\b(?:cu|iro|qr-?))bots?(?:\b|_)|crawl|spider|scrap(?:er|y|ing)\b|preview|headless|lighthouse|page ?speed|synthetic|(?:monitoring|web ?light|favicon|search console|duplexweb-google|pagerenderer)\b|imageproxy|taginspector|feeder\.co\b|quiterss|mutant|\(via |\bptst\//i;

/** Words by which a robot names itself where no browser is named, and robots that the lists lack. */
const robotWordsAlone = [
  // What monitors call themselves.
  /monitor|uptime|kuma\b|health[ _-]?(?:check|service)|(?:link|redirect|site|status|url|website\w*)[ _-]?check|check_http|probe\b|pinger\b|heartbeat|status ?page|^ping[.-]|load balancer|^alwayson$|^keepaliveclient|\bcron\b/i,
  // Monitors and health checks by name.
  /nagios|zabbix|icinga|prometheus|munin|xymon|collectd|gatus|googlehc|freshping|cronitor|hyperping|webgazer|statping|^sensu|upptime|statusgator|instatus|openstatus|^kener\/|peekaping|^monika\/|^semonto|xitoring|checkmk|^telegraf|whatsup\/|blackbox[ -]exporter|^render\/|netdata|grafana|^rigor|kube-probe|consul\b|envoy\/hc|hobbit|^monit\//i,
  // Other work of robots.
  /validator|analyzer|indexer|fetcher|parser|resolver|archiv|transcoder|proxy\b|\bseo\b/i,
  // Readers of feeds and podcasts.
  /(?<![a-z])rss|rss(?![a-z])|(?:favicon|blog|feed|omea|silver) ?(?:reader|indexer)|feed(?:s\b|\/|_|bin|burner|d|\b)|subscribers|pubsub|^reeder|^readkit|^downcast|^castro|^breaker|^spotify\/1\.0$|^newspaper\//i,
  // Filters of mail, scanners and checkers of sites.
  /clamav|barracuda|mimecast|proofpoint|apachebench|arachni|nuclei|jorgee|morningscore|netlyzer|hexometer|nibbler|linkexpander|perimeterx|browsershots|medusa|l9tcpid/i,
  // Others by name.
  /webcollage|nutch|^anonymous,|^swcd|^ddg|^hwcdn|^cf-uc|^hydra|\(hydra|^octopus|google-cloud|^placid|braze sender|^sixy|exractor|invision community|interascoagent|mnogosearch|integration services|torrent|default_user_agent/i,
];

/** A name in the place of a browser. Browsers that name no engine have more in the parentheses. */
const nameForBrowser = /^Mozilla\/5\.0 \(compatible; ?[^;()]+\)$/;

/** What robots add to a browser's agent: "like Gecko; Name", or "(compatible; Name" behind the browser. */
const nameInBrowser = /like Gecko(?:;|\)[^)]*\bcompatible;)/i;

/** Clients that name the address of their source code. */
const namedClients =
  /^(?:got|node-fetch|go-resty|typhoeus|colly|php-curl-class|mechanize|python-|http\.rb\/[\d.]+ \(ruby)\b/i;

/** Returns the kind of a user agent, in a time that grows with its length. */
function kindOfAgent(agent: string): AgentKind {
  const isRobot = browser.test(agent)
    ? [robotWords, crawlersInBrowsers, contact, nameInBrowser].some((one) => one.test(agent))
    : isNamedRobot(agent) || (contact.test(agent) && !namedClients.test(agent));
  if (!isRobot) return 'person';
  const isPreviewer = previewers.test(agent) || morePreviewers.test(agent);
  return isPreviewer && !socialCrawlers.test(agent) ? 'preview' : 'crawler';
}

const robots = [crawlers, apps, morePreviewers, robotWords, ...robotWordsAlone, nameForBrowser];

function isNamedRobot(agent: string): boolean {
  return robots.some((expression) => expression.test(agent));
}
