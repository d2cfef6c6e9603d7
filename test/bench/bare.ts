import { readFileSync } from 'node:fs';

// Bun's own server, which sends the same response to every request: a redirect, or the named file, or
// the file under /api/ and a redirect elsewhere.
const [port, file, mixed] = process.argv.slice(2);
const bytes = file === undefined ? null : readFileSync(file);
const type = file?.endsWith('.json') ? 'application/json' : 'image/png';
const redirect = () =>
  new Response(null, { status: 302, headers: { Location: 'https://example.com/' } });
const content = () => new Response(bytes, { headers: { 'Content-Type': type } });
const either = (request: Request) => (request.url.includes('/api/') ? content() : redirect());
const server = Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  development: false,
  fetch: bytes === null ? redirect : mixed === 'mixed' ? either : content,
});
console.log(`listening on ${server.port}`);
