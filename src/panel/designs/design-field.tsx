/** @jsxImportSource preact */
import type { ReadabilityResult } from '../../core/designs/design.ts';
import type { SavedDesign } from '../../core/designs/ports.ts';
import { Refused } from '../../core/errors.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { Problem, SignedInContext } from '../request/request.ts';
import { Image } from '../ui/components.tsx';
import { labelled, Options } from '../ui/fields.tsx';
import type { Field } from '../ui/form.tsx';
import { useTexts } from '../ui/page-context.tsx';
import { unreadableSentence } from '../ui/sentences/readability.ts';
import { designPicturePath, savedDesignPath } from './saved-designs.tsx';

/** More saved designs are not tried for a readable one: each takes some tens of milliseconds once. */
const maxTried = 10;

/** A design that a form can use. */
interface OfferedDesign {
  /** Empty for the default design. */
  readonly name: string;
  readonly designId: number;
  readonly readability: ReadabilityResult;
}

/** The design that is chosen in a form, and what is wrong with it. */
export interface ChosenDesign {
  readonly designId: number;
  readonly readability: ReadabilityResult;
  /** Null for one that phones can read. */
  readonly problem: Problem | null;
  /** A readable one instead of it; null when there is none, or it is not needed. */
  readonly offered: OfferedDesign | null;
}

/**
 * Checks the design that a form begins with or has chosen.
 *
 * @param name empty for the default design, as of one that is not saved any more
 * @param defaultId the default design of the form; that of the account when left out
 */
export async function chosenDesign(
  { designs, savedDesigns }: Pick<PanelDeps, 'designs' | 'savedDesigns'>,
  { accountId, request }: SignedInContext,
  name: string,
  defaultId?: number,
): Promise<ChosenDesign> {
  const work = { signal: request.signal };
  const saved = await savedDesigns.list(accountId);
  const defaultDesign = { name: '', designId: defaultId ?? (await designs.findId(accountId)) };
  const chosen = saved.find((one) => one.name === name) ?? defaultDesign;
  const { designId } = chosen;
  const { design, readability } = await designs.storedStatus(accountId, designId, work);
  if (readability.isReadable) return { designId, readability, problem: null, offered: null };
  const { reasons } = readability;
  const text = (t: Texts) => unreadableSentence(chosen.name, reasons, design, t);
  const link = {
    to: savedDesignPath(chosen.name),
    text: (t: Texts) => (chosen.name === '' ? t.designs.fix : t.designs.fixNamed(chosen)),
  };
  const problem: Problem = { text, link };
  for (const other of [defaultDesign, ...saved].slice(0, maxTried)) {
    if (other.designId === designId) continue;
    const status = await designs.storedStatus(accountId, other.designId, work);
    if (!status.readability.isReadable) continue;
    const offered = { ...other, readability: status.readability };
    return { designId, readability, problem, offered };
  }
  return { designId, readability, problem, offered: null };
}

/**
 * The design of new codes with its picture: the id of a saved one, or undefined for the default.
 *
 * @param chosen what is chosen; left out where the field is only read
 */
export function designField(
  designs: readonly SavedDesign[],
  chosen?: ChosenDesign,
): Field<number | undefined> {
  const options = [
    { value: '', text: (t: Texts) => t.designs.defaultDesign },
    ...designs.map(({ name }) => ({ value: name, text: name })),
  ];
  return {
    read: (typed, name) => {
      const text = typed.text(name);
      if (text === '') return undefined;
      const design = designs.find((one) => one.name === text);
      // Deleted since the page was opened.
      if (design === undefined) throw new Refused({ kind: 'no such saved design', name: text });
      return design.designId;
    },
    draw: (drawn) => {
      // Without saved designs, there is nothing to choose.
      if (designs.length === 0 && drawn.problem === undefined) return null;
      return (
        <div class="stack close" data-part>
          {labelled({ label: (t) => t.designs.design, isLive: true }, drawn, (attributes) => (
            <div class="chosen-design">
              {chosen && (
                <span id="design-picture" data-live>
                  <Image path={designPicturePath(chosen.designId)} alt="" widthPx={40} />
                </span>
              )}
              <select class="select" data-live-page="/account/new" {...attributes}>
                <Options options={options} chosen={drawn.value} />
              </select>
            </div>
          ))}
          <div id="design-offer" data-live>
            {chosen?.offered && <Offer {...chosen.offered} />}
          </div>
        </div>
      );
    },
  };
}

/**
 * Renders a readable design, with the button that chooses it.
 * Without a script, one chooses it in the field.
 */
function Offer({ name, designId, readability }: OfferedDesign) {
  const t = useTexts();
  return (
    <div class="offer">
      <Image path={designPicturePath(designId)} alt="" widthPx={40} />
      <div class="small">
        <b dir="auto">{name || t.designs.defaultDesign}</b>
        <div class="soft">{t.designs.readabilityText(readability)}</div>
      </div>
      <button type="button" class="button small script-only" data-fill="design" value={name}>
        {name === '' ? t.designs.useDefault : t.designs.use({ name })}
      </button>
    </div>
  );
}
