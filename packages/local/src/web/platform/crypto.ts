import { equalBytes } from '@noble/ciphers/utils'
import { hmac } from '@noble/hashes/hmac'
import { md5 as hash } from '@noble/hashes/legacy'
import { sha256 } from '@noble/hashes/sha2'
import type * as node from '../../platform/crypto.ts'

// In JavaScript, because WebCrypto has no MD5 and no synchronous calls.

/** The key of an account: makes and checks signatures, and shows in no log. */
export class SigningKey {
  readonly #bytes: Uint8Array

  constructor(base64: string) {
    this.#bytes = fromBase64(base64)
  }

  sign(text: string): string {
    return toBase64(hmac(sha256, this.#bytes, toUtf8(text)))
  }

  matches(text: string, signature: string): boolean {
    return equalBytes(hmac(sha256, this.#bytes, toUtf8(text)), fromBase64(signature))
  }

  toBase64(): string {
    return toBase64(this.#bytes)
  }
}

/** Hashes the UTF-8 of a text with MD5: 16 bytes in base64. */
export const md5: typeof node.md5 = (text) => toBase64(hash(toUtf8(text)))

/** Makes a random UUID, also in a page without https, which has no `randomUUID`. */
export const randomId: typeof node.randomId = () => {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Without TextEncoder, which jsdom lacks. */
function toUtf8(text: string): Uint8Array {
  const wellFormed = text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
  const units = encodeURIComponent(wellFormed).replaceAll(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Uint8Array.from(units, (unit) => unit.charCodeAt(0))
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
