import type { Documents } from '../documents/documents.ts';
import type { Entry } from '../tree.ts';

/** Paths that differ between Debian and Fedora. */
export interface Layout {
  readonly zshCompletions: string;
}

export const configFile = '/etc/waymark.env';

/**
 * Returns the files of a Linux package: those of an archive at the places of the file system standard.
 *
 * @param executable path of the executable on this machine
 */
export function packageFiles(
  documents: Documents,
  executable: string,
  { zshCompletions }: Layout,
): Entry[] {
  const doc = 'usr/share/doc/waymark';
  // Packages own /usr; /usr/local is for what administrators install by hand.
  const inUsr = (text: string) => text.replaceAll('/usr/local/bin/waymark', '/usr/bin/waymark');
  return [
    { path: 'usr/bin/waymark', content: { file: executable }, mode: 0o755 },
    { path: 'usr/sbin/waymarkctl', content: inUsr(documents.waymarkctl), mode: 0o755 },
    { path: 'usr/lib/systemd/system/waymark.service', content: inUsr(documents.unit) },
    // It may hold the key of a remote check.
    { path: configFile.slice(1), content: documents.settings, mode: 0o600 },
    {
      path: 'usr/share/man/man1/waymark.1.gz',
      content: Bun.gzipSync(documents.manual, { level: 9, library: 'libdeflate' }),
    },
    { path: 'usr/share/bash-completion/completions/waymark', content: documents.bash },
    { path: `${zshCompletions}/_waymark`, content: documents.zsh },
    { path: 'usr/share/fish/vendor_completions.d/waymark.fish', content: documents.fish },
    { path: `${doc}/copyright`, content: documents.licenses },
    { path: `${doc}/CHANGELOG.md`, content: documents.changelog },
  ];
}

/** Creates the service's user, its data folder and the folder of its backups. For `sh`. */
export const createUser = `if ! getent passwd waymark >/dev/null; then
  useradd --system --user-group --home-dir /var/lib/waymark --no-create-home --shell /usr/sbin/nologin waymark
fi
install -d -o waymark -g waymark -m 700 /var/lib/waymark /var/backups/waymark`;

/** Says what to do after the first installation. For `sh`. */
export const sayNextStep = `echo "Waymark is installed. Set WAYMARK_PUBLIC_URL in ${configFile}, then run: systemctl enable --now waymark"`;

export const hasSystemd = '[ -d /run/systemd/system ]';

/** Restarts the service if it runs. A server that does not start must not leave the package half installed. */
export const restart =
  'systemctl try-restart waymark || echo "Waymark does not start: journalctl -u waymark says why." >&2';
