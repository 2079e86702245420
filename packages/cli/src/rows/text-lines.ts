import { cliInputError } from '../errors/codes.ts'

/** A row of 2 MiB has fewer characters as JSON, even when each of them is written as `\u0000`. */
export const LONGEST_LINE: number = 16 * 1024 * 1024

/**
 * Splits a stream of UTF-8 at line feeds, and nowhere else: a text within JSON may contain U+2028.
 *
 * @param chunks - bytes or text
 * @param file - the name of the file, for the message
 * @returns the lines, without line feeds
 * @throws InputError with the code `UnreadableInput` for a line that is longer than any row
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array | string>,
  file: string,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let number = 1
  let rest = ''
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      yield rest + text.slice(from, end)
      rest = ''
      number++
      from = end + 1
    }
    rest += text.slice(from)
    if (rest.length > LONGEST_LINE) {
      throw cliInputError(
        'UnreadableInput',
        `${file}, line ${number}: The line is longer than any row. NDJSON has one row on each line.`,
      )
    }
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
