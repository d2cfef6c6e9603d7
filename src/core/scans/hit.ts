import { createCache } from '../../lib/cache.ts';

/**
 * What is a scan and what is not. A scan is a GET that a person's device made to follow the link.
 * Everything else that fetches the link is redirected all the same, but kept apart from the count.
 */
export const hitKinds = ['scan', 'head', 'prefetch', 'preview', 'crawler'] as const;
export type HitKind = (typeof hitKinds)[number];
/** Hits that are told apart in the panel and never enter `scans`. */
export type UncountedKind = Exclude<HitKind, 'scan'>;

// Named agents only. Generic HTTP libraries and empty agents count: scanner apps use both, and a
// lost scan is worse than a stray one. Grow these lists by name, never by words such as "bot".
const previewers =
  /WhatsApp|facebookexternalhit|Facebot|Twitterbot|Slackbot|Slack-ImgProxy|Discordbot|TelegramBot|LinkedInBot|SkypeUriPreview|Pinterestbot|Pinterest\/0\.|redditbot|Mastodon\/|Iframely|Embedly|Viber|Line\/PreviewBot|vkShare|Snap URL Preview Service|Synapse|Google-PageRenderer|BitlyBot|MicrosoftPreview|kakaotalk-scrap|ZoomBot|Bluesky Cardyb/i;
const crawlers =
  /Googlebot|Google-InspectionTool|GoogleOther|AdsBot-Google|Mediapartners-Google|APIs-Google|bingbot|BingPreview|DuckDuckBot|YandexBot|Baiduspider|Applebot|Amazonbot|AhrefsBot|SemrushBot|MJ12bot|DotBot|PetalBot|SeznamBot|Sogou(?: \w+)? spider|CCBot|GPTBot|ChatGPT-User|OAI-SearchBot|ClaudeBot|Claude-User|anthropic-ai|PerplexityBot|Bytespider|meta-externalagent|ia_archiver|archive\.org_bot|UptimeRobot|Pingdom|StatusCake|Site24x7/i;

// No real agent is longer; an agent cut here still shows its name, and the patterns stay cheap.
const longestAgent = 512;

/** The headers a hit is judged by. `Headers` fits. */
interface HitHeaders {
  get(name: string): string | null;
}

/** Which kind of hit a request to a short link is. Nothing of it is kept but the kind. */
export function classifyHit(method: string, headers: HitHeaders): HitKind {
  if (method === 'HEAD') return 'head';
  if (isPrefetch(headers.get('sec-purpose')) || isPrefetch(headers.get('purpose')))
    return 'prefetch';
  const agent = headers.get('user-agent')?.slice(0, longestAgent);
  if (agent === undefined || agent === '') return 'scan';
  const known = kindOfAgent.get(agent);
  if (known !== undefined) return known;
  const kind = previewers.test(agent) ? 'preview' : crawlers.test(agent) ? 'crawler' : 'scan';
  kindOfAgent.set(agent, kind);
  return kind;
}

// Few agents make most of the scans, and telling one costs a microsecond of matching. In memory only.
const kindOfAgent = createCache<string, HitKind>(1000);

/** `Sec-Purpose: prefetch;prerender` (Fetch standard) and its older spelling `Purpose: prefetch`. */
function isPrefetch(purpose: string | null): boolean {
  return purpose !== null && /\b(prefetch|prerender|preview)\b/i.test(purpose);
}
