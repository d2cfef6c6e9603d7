type Sentence = (values: never) => string;

/**
 * Marks, how they are typed, and what stands for one of a value meanwhile: a character that no text has (Unicode 17.0,
 * 23.7).
 */
const marks = [
  ['“', '"', '\ufdd0'],
  ['”', '"', '\ufdd1'],
  ['’', "'", '\ufdd2'],
] as const;

/**
 * Writes sentences of pages as terminals do: with quotation marks and apostrophes that can be typed, searched and escaped.
 * Those of the values stay as they are.
 */
export function straight<T extends Readonly<Record<string, Sentence>>>(sentences: T): T {
  const written = Object.entries(sentences).map(([kind, say]) => [kind, straightOf(say)]);
  // The cast is safe: it has the same kinds, and functions of the same values.
  return Object.fromEntries(written) as T;
}

function straightOf(say: Sentence): Sentence {
  return (values) => {
    let hidden = JSON.stringify(values);
    for (const [mark, , kept] of marks) hidden = hidden.replaceAll(mark, kept);
    let sentence = say(JSON.parse(hidden) as never);
    for (const [mark, typed, kept] of marks)
      sentence = sentence.replaceAll(mark, typed).replaceAll(kept, mark);
    return sentence;
  };
}
