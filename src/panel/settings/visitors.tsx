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
import { Submit } from '../ui/page-context.tsx';
import { PhonePreview } from '../ui/phone-preview.tsx';

/** Creates the form of what visitors see on paused codes. The link is checked like a destination. */
export function createVisitorsForm(qrs: Pick<Qrs, 'checkDestination'>) {
  const link = textField({
    label: 'Button below it',
    hint: 'An address. The button shows it as it is.',
    parse: trimmed,
    inputMode: 'url',
    placeholder: 'https://example.com/booking',
    ...verbatim,
  });
  return {
    businessName: nameField({
      label: 'Business name',
      hint: 'Visitors see it, with the logo of your design, on the page of a paused code.',
      parse: parseBusinessName,
    }),
    pausedMessage: areaField({
      label: 'Message for paused codes',
      hint: `At most ${maxPausedMessageLength} characters, in the language of your guests.`,
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
  return (
    <Group title="Visitors" text="What people see when a code is paused.">
      <div class="pad visitors">
        <FormView form={form} values={values} to="/account/settings/visitors" class="stack">
          <p class="hint">What you write stands beside our words, which are in their language.</p>
          <Submit>Save</Submit>
        </FormView>
        <PhonePreview {...values} />
      </div>
    </Group>
  );
}
