/**
 * Splits a stream of UTF-8 at line feeds, and nowhere else: a text within JSON may contain U+2028.
 *
 * @param chunks - bytes or text
 * @returns the lines, without line feeds
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
