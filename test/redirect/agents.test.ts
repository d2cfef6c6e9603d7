import { expect, test } from 'bun:test';
import fc from 'fast-check';
import UserAgent from 'user-agents';
import { hitKinds } from '../../src/core/scans/hit.ts';
import { listedAgents } from '../../src/lib/build/agent-names.macro.ts';
import { classifyHit } from '../../src/redirect/hits/classify.ts';

function kindOf(agent: string | null, method = 'GET', more: Record<string, string> = {}) {
  return classifyHit(
    method,
    new Headers({ ...(agent !== null && { 'user-agent': agent }), ...more }),
  );
}

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  `${iphone} Version/17.4 Mobile/15E148 Safari/604.1`,
  `${iphone} CriOS/123.0.6312.52 Mobile/15E148 Safari/604.1`,
  `${android} Chrome/123.0.0.0 Mobile Safari/537.36`,
  `${android} SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36`,
  // In-app browsers of companies that also run previewers and crawlers.
  `${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/455.0.0.46;FBDV/iPhone15,2;FBSV/17.4]`,
  `${iphone} Mobile/15E148 Instagram 322.0.2.20.92 (iPhone15,2; iOS 17_4; en_US)`,
  `${android} Version/4.0 Chrome/122.0 Mobile Safari/537.36 [Pinterest/Android]`,
  `${iphone} Mobile/15E148 Snapchat/12.78.0.45 (like Safari/8617.2.4, panda)`,
  `${iphone} Mobile/15E148 Twitter for iPhone/10.34`,
  `${iphone} Mobile/15E148 [LinkedInApp]/9.29.1`,
  `${iphone} Mobile/15E148 Safari Line/14.3.0`,
  `${iphone} Mobile/15E148 KAKAOTALK 10.6.5`,
  `${android} Version/4.0 Chrome/116.0 XWEB/116 MMWEBSDK/20240301 MicroMessenger/8.0.48`,
  `${iphone} Version/17.0 YaBrowser/24.3.1 Mobile/15E148 Safari/604.1`,
  `${android} Version/4.0 Mobile Safari/534.30 SogouMSE,SogouMobileBrowser/4.2.6`,
  `${android} Version/4.0 Chrome/116.0 Mobile Safari/537.36 Viber/21.8.0.4`,
  `${iphone} Mobile/15E148 Viber`,
  'Viber/12.8.0.1 CFNetwork/1121.2.2 Darwin/19.3.0',
  `${android} Version/4.0 Chrome/116.0 Mobile Safari/537.36 WhatsApp/2.24.6.77`,
  `${android} Version/4.0 Chrome/116.0 Mobile Safari/537.36 Telegram-Android/10.9.1`,
  `${android} Version/4.0 Chrome/116.0 Mobile Safari/537.36 Notion/2.4 Flipboard/4.2.24`,
  `${iphone} Mobile/15E148 Tumblr/iPhone/33.0`,
  `${iphone} Mobile/15E148 Bluesky/1.90`,
  `${iphone} Mobile/15E148 PayPal/8.60`,
  `${iphone} Mobile/15E148 AliApp(AP/10.1.30.300) AlipayClient/10.1.30.300 Alipay`,
  `${iphone} Version/17.2 Mobile/15E148 Safari/605.1 NAVER(inapp; search; 2000; 12.3.6)`,
  `${iphone} Version/17.4 Mobile/15E148 Safari/604.1 (Ecosia ios@9.2.3.1367)`,
  `${iphone} Mobile/15E148 QRScanner/3.2`,
  `${iphone} Mobile/15E148 QRbot/3.2`,
  `${iphone} Mobile/15E148 iRobot/7.1`,
  `${android} Version/4.0 Chrome/116.0 Mobile Safari/537.36 NewsMonitor/3.1`,
  // Robots of these companies name themselves otherwise.
  ...['Blackboard', 'CocCoc', 'Disqus', 'GoPay', 'HubSpot', 'Stripe', 'WordPress', 'Zapier'].map(
    (app) => `${iphone} Mobile/15E148 ${app}/24.5`,
  ),
  // Phones and a toolbar whose names are those of robots too, and browsers that few have.
  'Mozilla/5.0 (Linux; Android 8.1.0; X18 Build/CUBOT_X18) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 4.2.2; HTC Butterfly s Build/JDQ39) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/29.0 Mobile Safari/537.36',
  'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0; chromeframe; .NET CLR 2.0.50727)',
  'Mozilla/5.0 (Linux; Android 6.0; CUBOT MAX) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/72.0 Mobile Safari/537.36',
  'Mozilla/5.0 (compatible; Konqueror/4.4; Linux) KHTML/4.4.5 (like Gecko) Kubuntu',
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Trident/4.0; SLCC2; Tablet PC 2.0; Avant Browser)',
  'Lynx/2.9.0dev.6 libwww-FM/2.14 SSL-MM/1.4.1 OpenSSL/1.1.1j-dev',
  // Scanner apps use generic HTTP clients.
  'QR%20Scanner/42 CFNetwork/1494.0.7 Darwin/23.4.0',
  'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240105.004)',
  'okhttp/4.12.0',
  'curl/8.5.0',
  'python-requests/2.31.0',
  'got (https://github.com/sindresorhus/got)',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'Apache-HttpClient/4.5.13 (Java/11.0.9)',
  'Java/1.8.0_121',
  'GuzzleHttp/7',
  'QRCodeReader/3.1 CFNetwork/1494.0.7 Darwin/23.4.0',
  'Barcode%20Reader/3 CFNetwork/1494.0.7 Darwin/23.4.0',
  'Barcode Scanner; Android 14',
  'SomeRobotVacuumApp/1.0',
  'Go-http-client/2.0',
  '-',
  '',
  null,
])('phones, apps and HTTP clients are scans: %p', (agent) => {
  expect(kindOf(agent)).toBe('scan');
});

test.each([
  'WhatsApp/2.23.20.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)',
  'Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (compatible; Snap URL Preview Service; bot; snapchat; https://developers.snap.com/)',
  'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
  'Mastodon/4.2.8 (http.rb/5.1.1; +https://mastodon.social/)',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'facebookexternalhit/1.1;line-poker/1.0',
  'Viber/20.5.0',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  'Mattermost-Bot/1.1',
  'Discourse Forum Onebox v3.2.0',
  'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/)',
  'Mozilla/5.0 (compatible; Notionbot)',
  'Misskey/2024.3.1 (https://misskey.example)',
  'SummalyBot/5.0.3',
  'ClickUpLinkUnfurler',
  'Bitrix link preview',
  `${iphone} Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0`,
])('link previewers: %s', (agent) => {
  expect(kindOf(agent)).toBe('preview');
  expect(kindOf(agent.toUpperCase())).toBe('preview');
});

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  `${android} Chrome/123.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 Version/8.0.2 Safari/600.2.5 (Applebot/0.1)',
  'Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)',
  'Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)',
  'Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)',
  'Sogou Pic Spider/3.0( http://www.sogou.com/docs/help/webmasters.htm#07)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.1; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
  'Uptime-Kuma/1.23.11',
  'Better Uptime Bot Mozilla/5.0 (Macintosh) AppleWebKit/537.36 Chrome/88.0 Safari/537.36',
  'Checkly/1.0 (https://www.checklyhq.com)',
  'Datadog/Synthetics',
  `${android} Chrome/120.0.0.0 Safari/537.36 DatadogSynthetics`,
  'Mozilla/5.0 (compatible;Cloudflare-Healthchecks/1.0;+https://www.cloudflare.com/)',
  'ELB-HealthChecker/2.0',
  'GoogleHC/1.0',
  'kube-probe/1.29',
  'Gatus/1.0',
  'check_http/v2.3.3 (nagios-plugins 2.3.3)',
  'updown.io daemon 2.11',
  'Mozilla/5.0 (compatible; SomeMonitor/1.0)',
  'Mozilla/5.0 (compatible; SomeNewService)',
  'Mozilla/5.0 (en-US) AppleWebKit/537.36 (KHTML, like Gecko; Google-Assess) Chrome/34.0 Safari/537.36',
  `${android} Chrome/41.0 Mobile Safari/537.36 (compatible; SomeVerifier/2.0)`,
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; SomeAgent/1.0',
  'OpenStatus/1.0',
  'Render/1.0',
  'AlwaysOn',
  'Load Balancer Agent',
  'checkmk-active-httpv2/2.3.0',
  'Telegraf/1.30.0 Go/1.22',
  'Barracuda Sentinel (EE)',
  'SomeNewCrawler/0.1 (+https://example.com/about-our-robot)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/123.0 Safari/537.36',
])('crawlers: %s', (agent) => {
  expect(kindOf(agent)).toBe('crawler');
});

const phone = `${android} Chrome/123.0.0.0 Mobile Safari/537.36`;

test.each([
  ['HEAD', 'HEAD', {}, 'head'],
  ['HEAD of a previewer', 'HEAD', { 'user-agent': 'Twitterbot/1.0' }, 'head'],
  ['a prefetch', 'GET', { 'sec-purpose': 'prefetch' }, 'prefetch'],
  ['a prerender', 'GET', { 'sec-purpose': 'prefetch;prerender' }, 'prefetch'],
  ['an older prefetch', 'GET', { purpose: 'prefetch' }, 'prefetch'],
  ['an older preview', 'GET', { purpose: 'Preview' }, 'prefetch'],
  ['a preview of Safari', 'GET', { 'x-purpose': 'preview' }, 'prefetch'],
  ['a prefetch of an older Firefox', 'GET', { 'x-moz': 'prefetch' }, 'prefetch'],
  ['an empty purpose', 'GET', { purpose: '' }, 'scan'],
] as const)('HEAD and prefetch: %s', (_, method, headers, kind) => {
  expect(kindOf(phone, method, headers)).toBe(kind);
});

test('any user agent has one kind, and only its first 512 characters count', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
      }),
      (agent) => {
        const kind = kindOf(agent);
        expect(hitKinds).toContain(kind);
        expect(kindOf(agent)).toBe(kind);
      },
    ),
  );
  expect(kindOf(`${'x'.repeat(600)} Googlebot`)).toBe('scan');
});

test('98 of 100 listed monitors, previewers and crawlers are not counted', () => {
  const listed = listedAgents().flatMap(({ instances }) => instances);
  const counted = listed.filter((agent) => kindOf(agent) === 'scan');
  expect(listed.length).toBeGreaterThan(2000);
  expect(counted.length / listed.length).toBeLessThan(0.02);
});

test('900 browsers of visitors are all counted', () => {
  const agents = UserAgent.top(10_000).map(({ userAgent }) => userAgent);
  expect(new Set(agents).size).toBeGreaterThan(900);
  expect(agents.filter((agent) => kindOf(agent) !== 'scan')).toEqual([]);
});
