import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Build } from '../archive.ts';
import type { Documents } from '../documents/documents.ts';
import { project } from '../project.ts';
import { runTool } from '../tools.ts';
import { type Entry, writeTree } from '../tree.ts';
import { configFile, createUser, hasSystemd, packageFiles, restart, sayNextStep } from './files.ts';

/** Writes the package for Debian, Ubuntu and others. */
export async function writeDeb(
  { version, seconds, work, out }: Build,
  documents: Documents,
  executable: string,
  architecture: string,
): Promise<void> {
  const name = `waymark_${version}_${architecture}`;
  const files = packageFiles(documents, executable, {
    zshCompletions: 'usr/share/zsh/vendor-completions',
  });
  const bytes = await Promise.all(files.map(contentOf));
  const kilobytes = Math.ceil(bytes.reduce((sum, { length }) => sum + length, 0) / 1024);
  const sums = files.map(
    ({ path }, index) => `${md5(bytes[index] ?? new Uint8Array())}  ${path}\n`,
  );
  const scripts = Object.entries(maintainerScripts).map(([script, content]) => ({
    path: `DEBIAN/${script}`,
    content: `#!/bin/sh\nset -e\n${content}\n`,
    mode: 0o755,
  }));
  const folder = join(work, name);
  await writeTree(
    folder,
    [
      { path: 'DEBIAN/control', content: control(version, architecture, kilobytes) },
      { path: 'DEBIAN/conffiles', content: `${configFile}\n` },
      { path: 'DEBIAN/md5sums', content: sums.join('') },
      ...scripts,
      ...files,
    ],
    seconds,
  );
  // gzip, since Debian 11 reads nothing newer but xz, which takes a minute.
  const command = ['dpkg-deb', '--root-owner-group', '-Zgzip', '-z6', '--build', folder, out];
  await runTool(command, { env: { SOURCE_DATE_EPOCH: String(seconds) } });
  await rm(folder, { recursive: true });
}

// The executable needs no other library. Bun is built for this glibc and later.
const control = (version: string, architecture: string, kilobytes: number) => `Package: waymark
Version: ${version}
Architecture: ${architecture}
Maintainer: ${project.maintainer}
Homepage: ${project.home}
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.17), passwd
Section: web
Priority: optional
Description: self-hosted server for dynamic QR codes
 You print a code once and change its destination whenever you like. One
 executable holds the API, the redirects, a web panel and the database.
`;

const maintainerScripts = {
  postinst: `[ "$1" = configure ] || exit 0
${createUser}
if ${hasSystemd}; then
  systemctl daemon-reload
  ${restart}
fi
if [ -z "$2" ]; then
  ${sayNextStep}
fi`,
  prerm: `if [ "$1" = remove ] && ${hasSystemd}; then
  systemctl disable --now waymark
fi`,
  postrm: `if ${hasSystemd}; then
  systemctl daemon-reload
fi
if [ "$1" = purge ] && [ -d /var/lib/waymark ]; then
  echo "/var/lib/waymark and the user waymark are kept: printed codes lead there. Delete both if nobody scans them any more."
fi`,
};

async function contentOf({ content }: Entry): Promise<Uint8Array> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return 'file' in content ? Bun.file(content.file).bytes() : content;
}

function md5(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('md5').update(bytes).digest('hex');
}
