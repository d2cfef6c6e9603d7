/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useTexts } from './page-context.tsx';

/** Renders the parts of a page of settings, below each other. */
export function Groups({ children }: { children: ComponentChildren }) {
  return <div class="stack wide-gap">{children}</div>;
}

interface GroupProps {
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly text: ComponentChildren;
  /** What its card contains: {@link SettingList}, or anything with its own padding. */
  readonly children: ComponentChildren;
}

/** Renders a part of a page of settings: its title beside its card; on phones above it. */
export function Group({ title, text, children }: GroupProps) {
  return (
    <section class="group" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p class="small soft">{text}</p>
      </div>
      <div class="card">{children}</div>
    </section>
  );
}

/** Renders the lines of a group. */
export function SettingList({ children }: { children: ComponentChildren }) {
  return <ul class="items">{children}</ul>;
}

interface SettingProps {
  readonly name: ComponentChildren;
  readonly id?: string;
  /** Whether it is on, where it can be on or off. */
  readonly isOn?: boolean;
  /** Its value, or what it does. */
  readonly text: ComponentChildren;
  /** Its small button; or a form, which stands below the text on phones. */
  readonly children?: ComponentChildren;
}

/** Renders a line of a group. */
export function Setting({ name, id, isOn, text, children }: SettingProps) {
  const t = useTexts();
  return (
    <li id={id}>
      <div class="what">
        <b>
          {name}
          {isOn === true && [
            ' ',
            <span key="on" class="pill good">
              {t.common.isOn}
            </span>,
          ]}
          {isOn === false && [
            ' ',
            <span key="off" class="pill plain">
              {t.common.isOff}
            </span>,
          ]}
        </b>
        <span class="small soft">{text}</span>
      </div>
      {children}
    </li>
  );
}
