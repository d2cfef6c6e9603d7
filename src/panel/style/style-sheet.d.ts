// A style sheet imported as its text.
declare module '*.css' {
  const text: string;
  export default text;
}
// A font imported as its path on disk or inside the executable.
declare module '*.woff2' {
  const path: string;
  export default path;
}
// A picture imported as its path on disk or inside the executable.
declare module '*.png' {
  const path: string;
  export default path;
}
