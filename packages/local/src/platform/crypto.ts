import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'

/** The key of an account: makes and checks signatures, and shows in no log. */
export class SigningKey {
  readonly #key: KeyObject

  /** @param base64 - the key in base64 */
  constructor(base64: string) {
    this.#key = createSecretKey(base64, 'base64')
  }

  /** Signs a text: HMAC-SHA256 in base64. */
  sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }

  /**
   * Tells whether a signature belongs to a text, in a time that does not depend on where they differ.
   *
   * @param signature - in base64
   */
  matches(text: string, signature: string): boolean {
    // Decoding base64 costs less than half of a digest that makes its own buffer.
    const expected = Buffer.from(this.sign(text), 'base64')
    const given = Buffer.from(signature, 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  /** Returns the key in base64, for connection strings. */
  toBase64(): string {
    return this.#key.export().toString('base64')
  }
}

/** Hashes the UTF-8 of a text with MD5: 16 bytes in base64. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('base64')
}

/** Makes a random UUID. */
export const randomId: () => string = randomUUID
