import { brand } from '@rowkey/odata'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { restInputError } from '../../errors/codes.ts'
import type { HttpRequest } from '../../http/transport.ts'
import { unsupportedSas } from '../../sas/unsupported-sas.ts'
import type { Credential } from '../../sign/credential.ts'
import {
  checkKey,
  checkSharedKeyOptions,
  type SharedKeyOptions,
} from '../../sign/shared-key-options.ts'
import { printHttpDate, type SharedKeyScheme, stringToSign } from '../../sign/string-to-sign.ts'

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Replaces the credential of Node in browsers and workers. It signs by WebCrypto, and only with `runsOnServer`:
 * anyone who can read a page would have the key, and with it the account.
 */
export class SharedKeyCredential implements Credential {
  static {
    brand(SharedKeyCredential, 'rowkey.sharedKeyCredential')
  }

  readonly account: string
  readonly scheme: SharedKeyScheme
  #key: Uint8Array<ArrayBuffer>
  #signingKey: Promise<SigningKey> | undefined

  /** @throws `InputError` (`InvalidCredential`) without `runsOnServer`, and as the credential of Node does */
  constructor(options: SharedKeyOptions) {
    if (options?.runsOnServer !== true) throw keyInPage()
    const { account, scheme } = checkSharedKeyOptions(options)
    this.account = account
    this.scheme = scheme
    this.#key = fromBase64(checkKey(options.key))
  }

  rotate(key: string): void {
    this.#key = fromBase64(checkKey(key))
    this.#signingKey = undefined
  }

  async authorize(request: HttpRequest, _endpoint: Endpoint, now: number): Promise<HttpRequest> {
    this.#signingKey ??= crypto.subtle.importKey('raw', this.#key, ALGORITHM, false, ['sign'])
    const date = printHttpDate(now)
    const text = stringToSign(this.scheme, request, this.account, date)
    const bytes = new TextEncoder().encode(text)
    const signature = await crypto.subtle.sign('HMAC', await this.#signingKey, bytes)
    const authorization = `${this.scheme} ${this.account}:${toBase64(new Uint8Array(signature))}`
    return { ...request, headers: { 'x-ms-date': date, authorization, ...request.headers } }
  }

  /**
   * Signs a text with the `node:crypto` of the worker, because WebCrypto signs only asynchronously.
   *
   * @throws `InputError` (`UnsupportedOperation`) where the runtime has no `node:crypto`
   */
  sign(text: string): string {
    const node = globalThis.process?.getBuiltinModule?.('node:crypto')
    if (node === undefined) throw unsupportedSas()
    return node.createHmac('sha256', this.#key).update(text).digest('base64')
  }
}

function keyInPage(): Error {
  return restInputError({
    code: 'InvalidCredential',
    message:
      'An account key must not be used in browsers and workers, where others can read it. Use a SasCredential or a BearerCredential. In a worker that runs on a server, set runsOnServer: true.',
  })
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
