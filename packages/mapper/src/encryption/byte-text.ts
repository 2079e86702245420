import { isWellFormed } from '@rowkey/odata'

// Made at the first use: jsdom, for one, has neither class, and most programs encrypt nothing.
let encoder: InstanceType<typeof TextEncoder> | undefined
let decoder: InstanceType<typeof TextDecoder> | undefined

/** No UTF-8 begins with it. */
const UTF16_MARK = 0xff

/**
 * A text as UTF-8. A text with half a surrogate pair, which UTF-8 cannot carry, is `FF` and its UTF-16
 * units, the high byte first: no two texts come to the same bytes.
 */
export function encodeText(text: string): Uint8Array {
  if (!isWellFormed(text)) return encodeUnits(text)
  encoder ??= new TextEncoder()
  return encoder.encode(text)
}

/** The text of bytes that {@link encodeText} made; `undefined` when they are none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === UTF16_MARK) return decodeUnits(bytes.subarray(1))
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function encodeUnits(text: string): Uint8Array {
  const bytes = new Uint8Array(1 + 2 * text.length)
  const view = new DataView(bytes.buffer)
  bytes[0] = UTF16_MARK
  for (let at = 0; at < text.length; at++) view.setUint16(1 + 2 * at, text.charCodeAt(at))
  return bytes
}

function decodeUnits(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ''
  for (let at = 0; at < bytes.length; at += 2) text += String.fromCharCode(view.getUint16(at))
  return text
}
