import { createCache } from '../../lib/cache.ts';

/**
 * Kinds of hits on a short link. A scan is a GET that a person's device made to follow the link. All
 * other kinds are redirected too, but counted separately.
 */
export const hitKinds = ['scan', 'head', 'prefetch', 'preview', 'crawler'] as const;
export type HitKind = (typeof hitKinds)[number];
/** Kinds that are not counted in `scans`. The panel shows them. */
export type UncountedKind = Exclude<HitKind, 'scan'>;

// Names of agents, never words such as "bot". Generic HTTP clients and empty user agents count as
// scans, because scanner apps use both.
const previewers =
  /WhatsApp|facebookexternalhit|Facebot|Twitterbot|Slackbot|Slack-ImgProxy|Discordbot|TelegramBot|LinkedInBot|SkypeUriPreview|Pinterestbot|Pinterest\/0\.|redditbot|Mastodon\/|Iframely|Embedly|Viber|Line\/PreviewBot|vkShare|Snap URL Preview Service|Synapse|Google-PageRenderer|BitlyBot|MicrosoftPreview|kakaotalk-scrap|ZoomBot|Bluesky Cardyb/i;
const crawlers =
  /Googlebot|Google-InspectionTool|GoogleOther|AdsBot-Google|Mediapartners-Google|APIs-Google|bingbot|BingPreview|DuckDuckBot|YandexBot|Baiduspider|Applebot|Amazonbot|AhrefsBot|SemrushBot|MJ12bot|DotBot|PetalBot|SeznamBot|Sogou(?: \w+)? spider|CCBot|GPTBot|ChatGPT-User|OAI-SearchBot|ClaudeBot|Claude-User|anthropic-ai|PerplexityBot|Bytespider|meta-externalagent|ia_archiver|archive\.org_bot|UptimeRobot|Pingdom|StatusCake|Site24x7/i;

// Bounds the cost of the patterns. No real user agent is longer.
const maxAgentLength = 512;

// Few agents make most of the scans, and matching one takes a twentieth of a redirect.
const kindsByAgent = createCache<string, HitKind>(1000);

/** Classifies a request to a short link. Only the kind is stored. */
export function classifyHit(method: string, headers: Headers): HitKind {
  if (method === 'HEAD') return 'head';
  if (isPrefetch(headers.get('sec-purpose')) || isPrefetch(headers.get('purpose')))
    return 'prefetch';
  const agent = headers.get('user-agent')?.slice(0, maxAgentLength);
  if (agent === undefined || agent === '') return 'scan';
  const known = kindsByAgent.get(agent);
  if (known !== undefined) return known;
  const kind = kindOfAgent(agent);
  kindsByAgent.set(agent, kind);
  return kind;
}

function kindOfAgent(agent: string): HitKind {
  if (previewers.test(agent)) return 'preview';
  return crawlers.test(agent) ? 'crawler' : 'scan';
}

/** Matches `Sec-Purpose: prefetch;prerender` (Fetch standard) and the older `Purpose: prefetch`. */
function isPrefetch(purpose: string | null): boolean {
  return purpose !== null && /\b(prefetch|prerender|preview)\b/i.test(purpose);
}
