import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Lets one browser in. The address that the command prints has a token, which works once. The page exchanges it for a cookie that
 * scripts cannot read and that no other site can make the browser send.
 */
export class Session {
  readonly #name: string
  readonly #secret: string
  readonly #place: string
  #token: string | undefined

  /**
   * @param place - the port of the studio: browsers share cookies between the ports of a host, so it is part of the name; and the address
   * that browsers know
   * @param random - makes a text that cannot be guessed
   */
  constructor({ port, url }: { readonly port: number; readonly url: URL }, random: () => string) {
    this.#name = `rowkey-studio-${port}`
    this.#secret = random()
    this.#place = `Path=${url.pathname}${url.protocol === 'https:' ? '; Secure' : ''}`
    this.#token = random()
  }

  /** The token that works once; `undefined` once it was exchanged. */
  get token(): string | undefined {
    return this.#token
  }

  /**
   * Exchanges the token.
   *
   * @param given - what the page sends
   * @returns the `Set-Cookie` header; `undefined` for a wrong token, and for one that was exchanged before
   */
  exchange(given: unknown): string | undefined {
    if (this.#token === undefined || !isSame(given, this.#token)) return undefined
    this.#token = undefined
    return `${this.#name}=${this.#secret}; ${this.#place}; HttpOnly; SameSite=Strict`
  }

  /**
   * Tells whether a request comes from the browser that was let in.
   *
   * @param cookies - the `Cookie` header
   */
  isOpen(cookies = ''): boolean {
    const prefix = `${this.#name}=`
    return cookies
      .split(/; */)
      .some(
        (cookie) => cookie.startsWith(prefix) && isSame(cookie.slice(prefix.length), this.#secret),
      )
  }
}

/** Compares in a time that says nothing about the texts. */
function isSame(given: unknown, secret: string): boolean {
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret))
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
