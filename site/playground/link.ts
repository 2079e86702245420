/** A program in the address of the playground, so that a link shows the same program to everyone. */

/**
 * Returns the fragment of an address that holds a program.
 *
 * @param code - the program
 */
export async function fragmentOf(code: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(code), new CompressionStream('deflate-raw'))
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return `#code=${text}`
}

/**
 * Reads the program in a fragment; `undefined` when it has none.
 *
 * @throws Error for a fragment that was cut or changed
 */
export async function codeIn(fragment: string): Promise<string | undefined> {
  const text = /^#code=([\w-]*)$/.exec(fragment)?.[1]
  if (text === undefined) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')))
  } catch (cause) {
    throw new Error('This link is incomplete: the program in its address cannot be read.', {
      cause,
    })
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const streamed = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(streamed).arrayBuffer())
}
