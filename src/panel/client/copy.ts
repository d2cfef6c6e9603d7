import { announce } from './dom.ts';
import { client as t } from './texts.ts';

const feedbackMs = 1600;

/** Copies the `data-copy` text of a button, or the picture of its `data-copy-image` address, on click. */
export function enableCopyButtons(): void {
  document.addEventListener('click', async ({ target }) => {
    const button =
      target instanceof Element ? target.closest('[data-copy], [data-copy-image]') : null;
    if (!(button instanceof HTMLButtonElement) || button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    const content = [...button.childNodes];
    const picture = button.dataset['copyImage'];
    const isCopied = picture
      ? await copyPicture(picture)
      : await copy(button.dataset['copy'] ?? '', button);
    button.ariaBusy = null;
    button.textContent = isCopied ? t.copied : picture ? t.notPossible : t.pressCtrlC;
    announce(button.textContent);
    setTimeout(() => {
      button.replaceChildren(...content);
      announce('');
    }, feedbackMs);
  });
}

/** Copies a PNG. Safari wants the clipboard item before the picture is there. */
async function copyPicture(url: string): Promise<boolean> {
  try {
    const type = 'image/png';
    const picture = fetch(url).then((response) => response.blob());
    await navigator.clipboard.write([new ClipboardItem({ [type]: picture })]);
    return true;
  } catch {
    return false;
  }
}

/** Copies a text. Browsers offer the Clipboard API over HTTPS only; without it, selects the text. */
async function copy(text: string, button: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const shown = button.parentElement?.querySelector('code');
    if (!shown) return false;
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}
