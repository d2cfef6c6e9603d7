import { readAgentNames } from '../../lib/build/agent-names.macro.ts' with { type: 'macro' };
import { browser, contact } from '../../lib/text/agent-shapes.ts';

/** Kinds of user agents. Generic HTTP clients are people, because scanner apps use them. */
export type AgentKind = 'person' | 'preview' | 'crawler';

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

/** Words by which a robot names itself inside a browser's agent too. Cubot makes phones, iRobot and QRbot are apps. */
const robotWords =
  /(?<!(?<![a-z])(?:cu|iro|qr-?))bots?(?:\b|_)|crawl|spider|scrap(?:er|y|ing)\b|preview|headless|lighthouse|page ?speed|synthetic|(?:monitoring|web ?light|favicon|search console|duplexweb-google|pagerenderer)\b|imageproxy|taginspector|feeder\.co\b|quiterss|mutant|\(via |\bptst\//i;

/** Words by which a robot names itself where no browser is named, and robots that the lists lack. */
const robotWordsAlone =
  /monitor|uptime|kuma\b|health[ _-]?(?:check|service)|(?:link|redirect|site|status|url|website\w*)[ _-]?check|check_http|probe\b|pinger\b|heartbeat|status ?page|validator|analyzer|indexer|fetcher|parser|resolver|(?<![a-z])rss|rss(?![a-z])|(?:favicon|blog|feed|omea|silver) ?(?:reader|indexer)|feed(?:s\b|\/|_|bin|burner|d|\b)|archiv|subscribers|pubsub|transcoder|proxy\b|nagios|zabbix|icinga|prometheus|munin|xymon|collectd|gatus|googlehc|freshping|cronitor|hyperping|webgazer|statping|^sensu|upptime|statusgator|instatus|openstatus|^kener\/|peekaping|^monika\/|^semonto|xitoring|checkmk|^telegraf|whatsup\/|^ping[.-]|blackbox[ -]exporter|load balancer|^alwayson$|^keepaliveclient|^render\/|netdata|grafana|^rigor|kube-probe|consul\b|envoy\/hc|hobbit|^monit\/|clamav|barracuda|mimecast|proofpoint|apachebench|arachni|nuclei|webcollage|nutch|\bseo\b|\bcron\b|^anonymous,|^swcd|^reeder|^readkit|^downcast|^castro|^breaker|^ddg|^hwcdn|^cf-uc|^hydra|\(hydra|jorgee|morningscore|netlyzer|hexometer|nibbler|^octopus|google-cloud|linkexpander|perimeterx|^placid|browsershots|braze sender|^spotify\/1\.0$|^sixy|exractor|invision community|medusa|interascoagent|l9tcpid|mnogosearch|integration services|^newspaper\/|torrent|default_user_agent/i;

/** A name in the place of a browser. Browsers that name no engine have more in the parentheses. */
const nameForBrowser = /^Mozilla\/5\.0 \(compatible; ?[^;()]+\)$/;

/** What robots add to a browser's agent: "like Gecko; Name", or "(compatible; Name" behind the browser. */
const nameInBrowser = /like Gecko(?:;|\)[^)]*\bcompatible;)/i;

/** Clients that name the address of their source code. */
const namedClients =
  /^(?:got|node-fetch|go-resty|typhoeus|colly|php-curl-class|mechanize|python-|http\.rb\/[\d.]+ \(ruby)\b/i;

/** Returns the kind of a user agent, in a time that grows with its length. */
export function kindOfAgent(agent: string): AgentKind {
  const isRobot = browser.test(agent)
    ? [robotWords, crawlersInBrowsers, contact, nameInBrowser].some((one) => one.test(agent))
    : isNamedRobot(agent) || (contact.test(agent) && !namedClients.test(agent));
  if (!isRobot) return 'person';
  const isPreviewer = previewers.test(agent) || morePreviewers.test(agent);
  return isPreviewer && !socialCrawlers.test(agent) ? 'preview' : 'crawler';
}

function isNamedRobot(agent: string): boolean {
  return [crawlers, apps, morePreviewers, robotWords, robotWordsAlone, nameForBrowser].some(
    (expression) => expression.test(agent),
  );
}
