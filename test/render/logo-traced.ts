import { normalizeLogo } from '../../src/render/logo/logo.ts';
import { paintSvg } from '../../src/render/logo/svg-raster.ts';
import { svg } from './logo-fixtures.ts';

/**
 * Normalises drawings that name files, for a tracer to watch: a first drawing loads all there is to
 * load, then a file named `begin` is opened in vain, then come the drawings, then `end`.
 *
 *   bun test/render/logo-traced.ts FOLDER
 */
const [folder = '.'] = process.argv.slice(2);
const square = '<rect width="50" height="50"/>';

const addresses = [
  '/etc/passwd',
  'file:///etc/passwd',
  '../secret.png',
  'secret.png',
  `${folder}/secret.png`,
  `${folder}/fifo`,
  '/dev/zero',
  '/dev/urandom',
  'http://127.0.0.1:9/secret.png',
  '//127.0.0.1:9/secret.png',
];

const ways = [
  (address: string) => svg(`${square}<image width="9" height="9" href="${address}"/>`),
  (address: string) => svg(`${square}<image width="9" height="9" xlink:href="${address}"/>`),
  (address: string) => svg(`<filter id="f"><feImage href="${address}"/></filter>${square}`),
  (address: string) => svg(`${square}<use href="${address}#a"/>`),
  (address: string) => svg(`${square}<rect fill="url(${address})"/>`),
  (address: string) => svg(`${square}<rect style="filter:url('${address}#f')"/>`),
  (address: string) => svg(`<style>@import "${address}";</style>${square}`),
  (address: string) => svg(`<style>@font-face{font-family:x;src:url(${address})}</style>${square}`),
  (address: string) => svg(`<linearGradient id="g" href="${address}#g"/>${square}`),
  (address: string) => svg(`<style>rect{fill:url(${address})}</style>${square}`),
  (address: string) =>
    Buffer.from(`<!DOCTYPE svg SYSTEM "${address}"><svg viewBox="0 0 9 9">${square}</svg>`),
  (address: string) =>
    Buffer.from(`<!DOCTYPE svg [<!ENTITY x SYSTEM "${address}">]><svg viewBox="0 0 9 9">&x;</svg>`),
  (address: string) => Buffer.from(`<?xml-stylesheet href="${address}"?><svg>${square}</svg>`),
  // Accepted, and the address is gone: nobody asked for these.
  (address: string) => svg(`<metadata><a href="${address}"/></metadata>${square}`),
  (address: string) => svg(`${square}<rect data-source="${address}"/>`),
];

await normalizeLogo(svg(square));
await Bun.file(`${folder}/begin`)
  .text()
  .catch(() => null);
let outcomes = 0;
for (const way of ways) {
  for (const address of addresses) {
    await normalizeLogo(way(address)).catch(() => null);
    outcomes++;
  }
}
// The rasterizer by itself, with all that the parser would have refused.
for (const address of addresses) {
  const hostile = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
    <filter id="f"><feImage href="${address}"/></filter><image width="9" height="9" href="${address}"/>
    <rect width="9" height="9" filter="url(#f)"/><use href="${address}#a"/></svg>`;
  await paintSvg(() => hostile, 9).catch(() => null);
  outcomes++;
}
await Bun.file(`${folder}/end`)
  .text()
  .catch(() => null);
console.log(outcomes);
