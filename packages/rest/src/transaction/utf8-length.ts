/** Node's own count where there is one: it makes no copy. */
const nodeBuffer: typeof Buffer | undefined = globalThis.Buffer

/**
 * How many bytes a text has in UTF-8.
 *
 * @param text - any text
 */
export function utf8Length(text: string): number {
  return nodeBuffer === undefined
    ? new TextEncoder().encode(text).length
    : nodeBuffer.byteLength(text)
}
