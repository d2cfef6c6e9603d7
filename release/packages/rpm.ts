import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Build } from '../archive.ts';
import type { Documents } from '../documents/documents.ts';
import { project } from '../project.ts';
import { runTool } from '../tools.ts';
import { type Entry, writeTree } from '../tree.ts';
import { configFile, createUser, hasSystemd, packageFiles, restart, sayNextStep } from './files.ts';

/** Writes the package for Fedora, RHEL, openSUSE and others. */
export async function writeRpm(
  { version, seconds, work, out }: Build,
  documents: Documents,
  executable: string,
  architecture: string,
): Promise<void> {
  const folder = join(work, `rpm-${architecture}`);
  const files = packageFiles(documents, executable, {
    zshCompletions: 'usr/share/zsh/site-functions',
  });
  await writeTree(join(folder, 'files'), files, seconds);
  const spec = join(folder, 'waymark.spec');
  await Bun.write(spec, specOf(version, files, join(folder, 'files')));
  await mkdir(join(folder, 'built'));
  const macros = {
    _topdir: folder,
    _rpmdir: join(folder, 'built'),
    _build_name_fmt: '%%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm',
    // The same on every machine.
    _buildhost: 'localhost',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
    source_date_epoch_from_changelog: '0',
    _binary_payload: 'w6.gzdio',
    // "strip" would cut the program off the runtime.
    __os_install_post: '%{nil}',
    debug_package: '%{nil}',
    _build_id_links: 'none',
  };
  const defines = Object.entries(macros).flatMap(([key, value]) => ['--define', `${key} ${value}`]);
  const command = ['rpmbuild', '-bb', '--target', `${architecture}-linux`, ...defines, spec];
  await runTool(command, { env: { SOURCE_DATE_EPOCH: String(seconds) } });
  const name = `waymark-${version}-1.${architecture}.rpm`;
  await Bun.write(join(out, name), Bun.file(join(folder, 'built', name)));
  await rm(folder, { recursive: true });
}

function specOf(version: string, files: readonly Entry[], folder: string): string {
  const listed = files.map(({ path, mode = 0o644 }) => {
    const attributes = `%attr(0${mode.toString(8)}, root, root)`;
    const isConfig = `/${path}` === configFile;
    return `${isConfig ? '%config(noreplace) ' : ''}${attributes} /${path}`;
  });
  return `Name: waymark
Version: ${version}
Release: 1
Summary: Self-hosted server for dynamic QR codes
License: MIT
URL: ${project.home}
Packager: ${project.maintainer}
# The executable needs the C library only, from the version that Bun is built for.
AutoReqProv: no
Requires: glibc >= 2.17
Requires(pre): shadow-utils

%description
You print a code once and change its destination whenever you like. One
executable holds the API, the redirects, a web panel and the database.

%install
cp -a ${folder}/. %{buildroot}/

%post
${createUser}
if ${hasSystemd}; then
  systemctl daemon-reload
fi
if [ "$1" = 1 ]; then
  ${sayNextStep}
fi

%preun
if [ "$1" = 0 ] && ${hasSystemd}; then
  systemctl disable --now waymark
fi

%postun
if ${hasSystemd}; then
  systemctl daemon-reload
  if [ "$1" -ge 1 ]; then
    ${restart}
  fi
fi

%files
${listed.join('\n')}
`;
}
