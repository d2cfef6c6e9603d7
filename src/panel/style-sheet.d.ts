// A style sheet imported as its text.
declare module '*/style.css' {
  const text: string;
  export default text;
}
