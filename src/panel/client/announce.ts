const said = document.createElement('p');
said.className = 'hidden';
said.role = 'status';

/** Tells a screen reader what eyes see elsewhere. */
export function say(text: string): void {
  document.body.append(said);
  said.textContent = text;
}
