/** The panel will not answer this; title and text are for the person in front of it. */
export class PanelRefused extends Error {
  override readonly name = 'PanelRefused';

  constructor(
    readonly status: number,
    readonly title: string,
    text: string,
  ) {
    super(text);
  }
}

/** 404: no page, or none that this visitor may know of. */
export function noSuchPage(): PanelRefused {
  return new PanelRefused(
    404,
    'There is nothing here',
    'This page does not exist, or you may not see it.',
  );
}
