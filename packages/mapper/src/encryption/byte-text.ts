import { isWellFormed } from '@rowkey/odata'

// Made at the first use: jsdom has neither class, and most programs encrypt nothing.
let encoder: InstanceType<typeof TextEncoder> | undefined
let decoder: InstanceType<typeof TextDecoder> | undefined

/** A byte that UTF-8 never starts with. */
const UTF16_MARK = 0xff

/**
 * Encodes text as UTF-8. Text with half a surrogate pair, which UTF-8 cannot encode, becomes `FF` and its
 * UTF-16 units, high byte first. Different texts always have different bytes.
 */
export function encodeText(text: string): Uint8Array {
  if (!isWellFormed(text)) return encodeUnits(text)
  encoder ??= new TextEncoder()
  return encoder.encode(text)
}

/** Decodes bytes from {@link encodeText}; `undefined` for any other bytes. */
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
