import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { ACCOUNT_NAME_RULE, type Endpoint, isAccountName } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import type { HttpRequest } from '../http/transport.ts'
import { checkOptions } from '../options/check-options.ts'
import type { Credential } from './credential.ts'
import { printHttpDate, type SharedKeyScheme, stringToSign } from './string-to-sign.ts'

/** What a {@link SharedKeyCredential} is made from. */
export interface SharedKeyOptions {
  /** The account's name. */
  readonly account: string
  /** One of the account's two keys, in base64 as the portal shows it. */
  readonly key: string
  /**
   * Which text is signed; services take both.
   *
   * @defaultValue `'SharedKeyLite'`, the shorter one
   */
  readonly scheme?: SharedKeyScheme | undefined
}

const OPTION_NAMES = ['account', 'key', 'scheme'] as const
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * An account's name and key: signs requests with Shared Key or Shared Key Lite.
 *
 * The key cannot be got out again, and shows in no log, inspection or JSON.
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
  /** The account's name. */
  readonly account: string

  /** Which text is signed. */
  readonly scheme: SharedKeyScheme

  #key: KeyObject
  readonly #authorizationPrefix: string

  /**
   * @throws {@link InputError} (`InvalidCredential`) when the account's name or the key cannot be one
   * @throws {@link InputError} (`InvalidOptionValue`) when the scheme is neither of the two
   */
  constructor(options: SharedKeyOptions) {
    checkOptions(options, OPTION_NAMES, 'SharedKeyCredential')
    this.account = checkAccount(options.account)
    this.scheme = checkScheme(options.scheme ?? 'SharedKeyLite')
    this.#key = readKey(options.key)
    this.#authorizationPrefix = `${this.scheme} ${this.account}:`
  }

  /**
   * Signs with another key from now on. Change over to the account's second key before the first is
   * regenerated; every attempt is signed afresh, so calls under way notice nothing.
   *
   * @param key - the other key, in base64 as the portal shows it
   * @throws {@link InputError} (`InvalidCredential`) when it cannot be one; the key in use then stays
   *
   * @example
   * ```ts
   * credential.rotate(await vault.secondKey())
   * ```
   */
  rotate(key: string): void {
    this.#key = readKey(key)
  }

  /** The request with `x-ms-date` and `Authorization`. */
  authorize(request: HttpRequest, _endpoint: Endpoint, now: number): HttpRequest {
    const date = printHttpDate(now)
    const signature = this.sign(stringToSign(this.scheme, request, this.account, date))
    // Own names first: copying into a literal is several times dearer when they come last.
    const authorization = this.#authorizationPrefix + signature
    const headers = { 'x-ms-date': date, authorization, ...request.headers }
    return { ...request, headers }
  }

  /**
   * The signature of a text: HMAC-SHA256 under the account key, in base64.
   *
   * @param text - a string-to-sign, such as `stringToSign` makes
   */
  sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }
}

function checkAccount(account: unknown): string {
  if (isAccountName(account)) return account
  throw restInputError({
    code: 'InvalidCredential',
    message: `The account name is not one: ${ACCOUNT_NAME_RULE}.`,
  })
}

function checkScheme(scheme: unknown): SharedKeyScheme {
  if (scheme === 'SharedKey' || scheme === 'SharedKeyLite') return scheme
  throw restInputError({
    code: 'InvalidOptionValue',
    message: "The scheme of a SharedKeyCredential must be 'SharedKey' or 'SharedKeyLite'.",
  })
}

function readKey(key: unknown): KeyObject {
  if (typeof key !== 'string' || key === '' || !BASE64.test(key)) {
    throw restInputError({
      code: 'InvalidCredential',
      message:
        'The account key is not base64. Copy the whole key from the portal, with the = at its end.',
    })
  }
  return createSecretKey(Buffer.from(key, 'base64'))
}
