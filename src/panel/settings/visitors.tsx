/** @jsxImportSource preact */

import type { Qrs } from '../../core/codes/qrs.ts';
import { withScheme } from '../../core/codes/urls/typed-address.ts';
import {
  maxPausedMessageLength,
  type PausedTexts,
  parseBusinessName,
  parsePausedMessage,
} from '../../core/labels.ts';
import { areaField, nameField, textField, trimmed, verbatim } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { Group } from '../ui/groups.tsx';
import { Submit, useTexts } from '../ui/page-context.tsx';
import { PhonePreview } from '../ui/phone-preview.tsx';

/** Creates the form of what visitors see on paused codes. The link is checked like a destination. */
export function createVisitorsForm(qrs: Pick<Qrs, 'checkDestination'>) {
  const link = textField({
    label: (t) => t.visitors.buttonBelowMessage,
    hint: (t) => t.visitors.buttonHint,
    parse: trimmed,
    inputMode: 'url',
    placeholder: 'https://example.com/booking',
    ...verbatim,
  });
  return {
    businessName: nameField({
      label: (t) => t.visitors.businessName,
      hint: (t) => t.visitors.businessNameHint,
      parse: parseBusinessName,
    }),
    pausedMessage: areaField({
      label: (t) => t.visitors.message,
      hint: (t) => t.visitors.messageHint({ chars: maxPausedMessageLength }),
      parse: parsePausedMessage,
      rows: 4,
    }),
    pausedLink: {
      ...link,
      read: async (...given: Parameters<typeof link.read>) => {
        const url = withScheme(await link.read(...given));
        return url === '' ? null : (await qrs.checkDestination(url)).destination;
      },
    },
  };
}

/** Renders the part of the settings about what visitors see on paused codes. */
export function VisitorsGroup({
  form,
  texts,
}: {
  readonly form: ReturnType<typeof createVisitorsForm>;
  readonly texts: PausedTexts;
}) {
  const values = {
    businessName: texts.businessName ?? '',
    pausedMessage: texts.pausedMessage ?? '',
    pausedLink: texts.pausedLink ?? '',
  };
  const t = useTexts();
  return (
    <Group title={t.visitors.title} text={t.visitors.whatTheySee}>
      <div class="pad visitors">
        <FormView form={form} values={values} to="/account/settings/visitors" class="stack">
          <p class="hint">{t.visitors.besideOurWords}</p>
          <Submit>{t.common.save}</Submit>
        </FormView>
        <PhonePreview {...values} />
      </div>
    </Group>
  );
}
