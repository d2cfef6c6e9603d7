/**
 * Where the project is published. The files of the repository have the placeholder `waymark.invalid`, and a release has
 * these instead: publishing elsewhere is an edit of this variable.
 */
export const project = {
  home: 'https://waymark.invalid/waymark',
  image: 'waymark.invalid/waymark',
  maintainer: 'The Waymark authors <waymark@waymark.invalid>',
};

/** Replaces the placeholders in a file of the repository. */
export function withProject(text: string, { home, image }: typeof project = project): string {
  return text
    .replaceAll('https://waymark.invalid/waymark', home)
    .replaceAll('waymark.invalid/waymark', image);
}

/** Returns a compose file that takes the published image of a version instead of building one. */
export function publishedCompose(text: string, version: string, to = project): string {
  return withProject(
    text
      .replace(/^( *)build:\n(?:\1 +.*\n)+/m, '')
      .replace(':-waymark.invalid/waymark}', `:-waymark.invalid/waymark:${version}}`),
    to,
  );
}
