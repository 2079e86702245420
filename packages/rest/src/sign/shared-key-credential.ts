import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { brand } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpRequest } from '../http/transport.ts'
import type { Credential } from './credential.ts'
import { checkKey, checkSharedKeyOptions, type SharedKeyOptions } from './shared-key-options.ts'
import { printHttpDate, type SharedKeyScheme, stringToSign } from './string-to-sign.ts'

/**
 * Signs requests with an account's name and key: Shared Key or Shared Key Lite.
 *
 * The key cannot be read back, and no log, inspection or JSON shows it.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 *
 * @example
 * ```ts
 * const credential = new SharedKeyCredential({ account: 'contoso', key: process.env.TABLES_KEY! })
 * const service = tableService({ endpoint: 'https://contoso.table.core.windows.net', credential })
 * ```
 */
export class SharedKeyCredential implements Credential {
  static {
    brand(SharedKeyCredential, 'rowkey.sharedKeyCredential')
  }

  /** The account's name. */
  readonly account: string

  /** The scheme of the signature. */
  readonly scheme: SharedKeyScheme

  #key: KeyObject
  readonly #authorizationPrefix: string

  /**
   * @throws `InputError` (`InvalidCredential`) for an invalid account name or key, and
   * `InvalidOptionValue` for an unknown scheme
   */
  constructor(options: SharedKeyOptions) {
    const { account, scheme } = checkSharedKeyOptions(options)
    this.account = account
    this.scheme = scheme
    this.#key = readKey(options.key)
    this.#authorizationPrefix = `${this.scheme} ${this.account}:`
  }

  /**
   * Signs with another key from now on. Rotate to the account's second key before you regenerate the
   * first. Every attempt is signed anew, so pending calls continue with the new key.
   *
   * @param key - the other key, in base64 as in the portal
   * @throws `InputError` (`InvalidCredential`) for an invalid key; the current key then stays
   *
   * @example
   * ```ts
   * credential.rotate(await vault.secondKey())
   * ```
   */
  rotate(key: string): void {
    this.#key = readKey(key)
  }

  /** Adds `x-ms-date` and `Authorization` to a request. */
  authorize(request: HttpRequest, _endpoint: Endpoint, now: number): HttpRequest {
    const date = printHttpDate(now)
    const signature = this.sign(stringToSign(this.scheme, request, this.account, date))
    // Own names first: copying into a literal costs several times more when they come last.
    const authorization = this.#authorizationPrefix + signature
    const headers = { 'x-ms-date': date, authorization, ...request.headers }
    return { ...request, headers }
  }

  /**
   * Signs a text: HMAC-SHA256 with the account key, in base64.
   *
   * @param text - a string-to-sign, such as `stringToSign` makes
   */
  sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }
}

function readKey(key: unknown): KeyObject {
  return createSecretKey(Buffer.from(checkKey(key), 'base64'))
}
