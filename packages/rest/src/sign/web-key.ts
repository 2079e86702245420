import type { HttpRequest } from '../http/transport.ts'
import { printHttpDate, type SharedKeyScheme, stringToSign } from './string-to-sign.ts'

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The account whose name a signature has, and its scheme. */
interface Signer {
  readonly account: string
  readonly scheme: SharedKeyScheme
}

/** An account key that signs by WebCrypto, for the `SharedKeyCredential` of browsers and workers. */
export class WebKey {
  readonly #imported: Promise<SigningKey>

  /** @param key - the bytes of the key */
  constructor(key: Uint8Array<ArrayBuffer>) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    this.#imported = crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  }

  /**
   * Adds `x-ms-date` and `Authorization` to a request.
   *
   * @param request - the request of an operation
   * @param signer - the account and the scheme
   * @param now - the date to sign: milliseconds since 1970, UTC
   */
  async authorize(
    request: HttpRequest,
    { account, scheme }: Signer,
    now: number,
  ): Promise<HttpRequest> {
    const date = printHttpDate(now)
    const text = stringToSign(scheme, request, account, date)
    const signature = await crypto.subtle.sign(
      'HMAC',
      await this.#imported,
      new TextEncoder().encode(text),
    )
    const authorization = `${scheme} ${account}:${toBase64(new Uint8Array(signature))}`
    return { ...request, headers: { 'x-ms-date': date, authorization, ...request.headers } }
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
