/** Writing systems of host names, each with those that one language writes beside it (UTS 39, 5.2). */
const scriptSets = [
  'Latn Hani Hira Kana',
  'Latn Hani Bopo',
  'Latn Hani Hang',
  ...'Cyrl Grek Armn Hebr Arab Geor Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Thai Laoo Tibt Mymr Khmr Ethi Thaa Mong'.split(
    ' ',
  ),
];

// Compiled when a host is not ASCII: that takes milliseconds.
let writingSystems: readonly RegExp[] | undefined;

function compileWritingSystems(): readonly RegExp[] {
  return scriptSets.map((scripts) => {
    const sets = `${scripts} Zyyy Zinh`.split(' ').map((script) => `\\p{scx=${script}}`);
    return new RegExp(`^[${sets.join('')}]*$`, 'u');
  });
}

/** Returns whether a label of a host has letters of several scripts, as `pаypal` with a Cyrillic а. */
function mixesScripts(label: string): boolean {
  if (/^[\0-\x7f]*$/.test(label)) return false;
  writingSystems ??= compileWritingSystems();
  return !writingSystems.some((system) => system.test(label));
}

/** Adds the punycode of a URL's host in parentheses, if one of its labels mixes scripts. */
export function showMixedScripts(url: string): string {
  const [beginning = '', authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (!authority.replace(/:\d*$/, '').split('.').some(mixesScripts)) return url;
  const ascii = URL.parse(url)?.hostname;
  return ascii === undefined ? url : `${beginning} (${ascii})${url.slice(beginning.length)}`;
}
