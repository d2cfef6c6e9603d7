import fc from 'fast-check';
import { ask, talk } from '../talk.ts';
import { bytes, text, visible } from './inputs.ts';
import { expectOneOf, type Kind, kind, silentAbout, statusesOf } from './kind.ts';

/** What only someone who writes the bytes himself can send. */
export const wireKinds: readonly Kind[] = [
  kind(
    'paths of the API',
    fc.array(
      fc.oneof(
        visible,
        visible.map(encodeURIComponent),
        fc.constantFrom('qrs', '%2e%2e', '$', '$.png', 'stats'),
      ),
      { maxLength: 5 },
    ),
    async ({ origin, key, qr }, segments) => {
      const path = segments.join('/').replaceAll('$', qr.code).replace(/[?#]/g, '');
      const answer = await ask(origin, `GET /api/v1/${path} HTTP/1.1`, [
        `Authorization: Bearer ${key}`,
      ]);
      silentAbout(key, answer.text);
      // Dot segments may lead out of the API to any page there is.
      return expectOneOf(String(answer.status), /^(200|302|303|404|405)$/, path);
    },
  ),
  kind('paths of the site', bytes, async ({ origin }, path) => {
    const { answers } = await talk(
      origin,
      `GET /${path} HTTP/1.1\r\nHost: x.example\r\nConnection: close\r\n\r\n`,
      { end: true },
    );
    return expectOneOf(statusesOf(answers), /^(|200|302|303|400|401|404|405|505)$/, path);
  }),
  kind(
    'headers of any name and value',
    fc.array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(
            'Host',
            'Content-Type',
            'Content-Length',
            'Transfer-Encoding',
            'Content-Encoding',
            'Expect',
            'Range',
            'If-None-Match',
            'Cookie',
            'Idempotency-Key',
            'X-Forwarded-For',
            'Accept',
            'Connection',
            'Upgrade',
            'Authorization',
          ),
          visible,
        ),
        bytes,
      ),
      { maxLength: 6 },
    ),
    async ({ origin, key }, headers) => {
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const head = `GET /api/v1/qrs?limit=1 HTTP/1.1\r\nHost: x.example\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n${lines}\r\n`;
      const { answers, raw } = await talk(origin, head, { end: true });
      silentAbout(key, raw);
      return expectOneOf(statusesOf(answers), /^(|200|400|401|413|431)( then (400|505))?$/, lines);
    },
  ),
  kind(
    'Authorization',
    fc.oneof(
      bytes,
      visible.map((one) => `Bearer ${one}`),
      fc.constantFrom('bearer', 'Basic', 'Token').map((scheme) => `${scheme} $`),
    ),
    async ({ origin, key }, value) => {
      const line = `Authorization: ${value.replace('$', key.slice(0, -1))}`;
      const { answers } = await talk(
        origin,
        `GET /api/v1/qrs HTTP/1.1\r\nHost: x.example\r\nConnection: close\r\n${line}\r\n\r\n`,
        { end: true },
      );
      return expectOneOf(statusesOf(answers), /^(400|401)$/, value);
    },
  ),
  kind(
    'requests of any bytes',
    fc.oneof(
      bytes,
      bytes.map((one) => `${one}\r\n\r\n`),
      visible.map((one) => `GET ${one} HTTP/1.1\r\nHost: x.example\r\n\r\n`),
    ),
    async ({ origin }, request) => {
      const { answers } = await talk(origin, request, { end: true });
      return expectOneOf(
        statusesOf(answers),
        /^(|200|302|303|400|401|404|405|505)( then (400|505))*$/,
        request,
      );
    },
  ),
  kind(
    'cookies and forms of the panel',
    fc.tuple(
      bytes,
      fc.array(fc.tuple(fc.constantFrom('email', 'password', 'next', 'csrf', '__proto__'), text), {
        maxLength: 5,
      }),
      visible,
    ),
    async ({ origin }, [cookie, fields, type]) => {
      const body = new URLSearchParams(fields).toString();
      const lines = `Cookie: waymark-session=${cookie}; ${cookie}\r\nContent-Type: ${type}\r\nSec-Fetch-Site: same-origin\r\nContent-Length: ${body.length}\r\n`;
      const { answers } = await talk(
        origin,
        `POST /account/nothing HTTP/1.1\r\nHost: x.example\r\nConnection: close\r\n${lines}\r\n${body}GET /account?${encodeURIComponent(cookie)} HTTP/1.1\r\n\r\n`,
        { end: true },
      );
      return expectOneOf(statusesOf(answers), /^(303|400|404)$/, cookie);
    },
  ),
];
