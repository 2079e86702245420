import type { Endpoint } from '../../endpoint/endpoint.ts'
import { restInputError } from '../../errors/codes.ts'
import { partNotLoaded } from '../../errors/part-not-loaded.ts'
import type { HttpRequest } from '../../http/transport.ts'
import { unsupportedSas } from '../../sas/unsupported-sas.ts'
import type { Credential } from '../../sign/credential.ts'
import {
  checkKey,
  checkSharedKeyOptions,
  type SharedKeyOptions,
} from '../../sign/shared-key-options.ts'
import type { SharedKeyScheme } from '../../sign/string-to-sign.ts'
import type { WebKey } from '../../sign/web-key.ts'

/** Few pages and workers have a key, so the code that signs is loaded, and not awaited again. */
let signing: typeof import('../../sign/web-key.ts') | undefined

/**
 * Replaces the credential of Node in browsers and workers. It signs by WebCrypto, and only with `runsOnServer`:
 * anyone who can read a page would have the key, and with it the account.
 */
export class SharedKeyCredential implements Credential {
  readonly account: string
  readonly scheme: SharedKeyScheme
  #key: Uint8Array<ArrayBuffer>
  #webKey: WebKey | undefined

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
    this.#webKey = undefined
  }

  async authorize(request: HttpRequest, _endpoint: Endpoint, now: number): Promise<HttpRequest> {
    signing ??= await import('../../sign/web-key.ts').catch(partNotLoaded)
    this.#webKey ??= new signing.WebKey(this.#key)
    return this.#webKey.authorize(request, this, now)
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
