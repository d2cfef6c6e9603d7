// Written by release/catalogue.ts.
import en from './en.sentences' with { type: 'file' };
import de from './de.sentences' with { type: 'file' };
import fr from './fr.sentences' with { type: 'file' };
import it from './it.sentences' with { type: 'file' };
import es from './es.sentences' with { type: 'file' };
import ptBR from './pt-BR.sentences' with { type: 'file' };
import nl from './nl.sentences' with { type: 'file' };
import pl from './pl.sentences' with { type: 'file' };
import tr from './tr.sentences' with { type: 'file' };
import ar from './ar.sentences' with { type: 'file' };
import ja from './ja.sentences' with { type: 'file' };
import zhHans from './zh-Hans.sentences' with { type: 'file' };

/** The files of the languages that have every sentence. */
export const offered = {
  'en': en,
  'de': de,
  'fr': fr,
  'it': it,
  'es': es,
  'pt-BR': ptBR,
  'nl': nl,
  'pl': pl,
  'tr': tr,
  'ar': ar,
  'ja': ja,
  'zh-Hans': zhHans,
};
