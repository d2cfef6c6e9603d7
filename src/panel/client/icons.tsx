/** @jsxImportSource preact */
/** The logo of Waymark: a finder pattern turned by 45 degrees. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path fill="none" stroke="currentColor" stroke-width="2.3" stroke-linejoin="round" d={ring} />
      <path fill="currentColor" stroke="currentColor" stroke-linejoin="round" d={core} />
    </svg>
  );
}

const ring = 'M12 2.4 21.6 12 12 21.6 2.4 12z';
const core = 'M12 8.5 15.5 12 12 15.5 8.5 12z';

/** The logo as the favicon. */
export const iconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="none" stroke="#1c7a58" stroke-width="2.6" stroke-linejoin="round" d="${ring}"/><path fill="#1c7a58" stroke="#1c7a58" stroke-linejoin="round" d="${core}"/></svg>`;
