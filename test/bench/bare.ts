// Bun's own server, which sends the same redirect to every request.
const server = Bun.serve({
  port: Number(process.argv[2]),
  hostname: '127.0.0.1',
  development: false,
  fetch: () => new Response(null, { status: 302, headers: { Location: 'https://example.com/' } }),
});
console.log(`listening on ${server.port}`);
