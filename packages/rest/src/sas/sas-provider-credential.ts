import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'
import { TransportError } from '../errors/transport-error.ts'

import type { HttpRequest } from '../http/transport.ts'
import { checkOptions } from '../options/check-options.ts'
import type { Credential } from '../sign/credential.ts'
import { type IssuedToken, RenewedToken } from '../sign/renewed-token.ts'
import { SasCredential, type SasCredentialOptions } from './sas-credential.ts'
import type { SharedAccessSignature } from './shared-access-signature.ts'

/** A token alone, or what {@link tableSas} and {@link accountSas} make. */
export type ProvidedSas = string | Pick<SharedAccessSignature, 'token'>

/** What a {@link SasProviderCredential} is made from. */
export interface SasProviderOptions extends SasCredentialOptions {
  /** Gets a token, from your own server say. One call at a time is made, unless one does not end. */
  readonly provide: () => ProvidedSas | Promise<ProvidedSas>
  /**
   * Is told when a token could not be renewed while the old one is still good, so that no call fails
   * yet. Its own errors are dropped.
   */
  readonly onError?: ((error: unknown) => void) | undefined
}

const OPTION_NAMES = ['checks', 'onError', 'provide']

/** After how long to ask for a token again that does not say when it ends. */
const UNKNOWN_HALF_LIFE = 15 * 60_000

/**
 * Shared access signatures that a function of yours provides, one after the other.
 *
 * A token is kept and renewed once half of its life is over, as its `se` says; one without is renewed
 * after 15 minutes. Concurrent calls share one renewal, and do not wait for it while the old token is
 * good. When a renewal fails, the old token is used on until it ends.
 *
 * @example
 * ```ts
 * const credential = new SasProviderCredential({
 *   provide: async () => (await fetch('https://api.contoso.example/tables-token')).text(),
 *   onError: (error) => console.warn('no new token yet', error),
 * })
 * ```
 */
export class SasProviderCredential implements Credential {
  readonly #renewed: RenewedToken<SasCredential>

  /** @throws {@link InputError} (`InvalidOptionValue`) when an option cannot be one */
  constructor(options: SasProviderOptions) {
    checkOptions(options, OPTION_NAMES, 'SasProviderCredential')
    const { provide, onError, checks } = options
    if (
      typeof provide !== 'function' ||
      !(onError === undefined || typeof onError === 'function')
    ) {
      throw restInputError({
        code: 'InvalidOptionValue',
        message: 'provide of SasProviderCredential must be a function, and so must onError.',
      })
    }
    this.#renewed = new RenewedToken((now) => issue(provide, { checks }, now), onError)
  }

  /**
   * The request with the token at the end of its query.
   *
   * @throws {@link TransportError} (`CredentialUnavailable`) when there is no good token and none is provided
   * @throws {@link InputError} (`OutsideSasScope`) when the token does not allow it
   */
  authorize(
    request: HttpRequest,
    endpoint: Endpoint,
    now: number,
  ): HttpRequest | Promise<HttpRequest> {
    const sas = this.#renewed.at(now)
    if (sas instanceof SasCredential) return sas.authorize(request, endpoint, now)
    return sas.then((provided) => provided.authorize(request, endpoint, now))
  }

  /** Lets the next call ask for a token anew. */
  abandoned(_endpoint: Endpoint, now: number): void {
    this.#renewed.giveUp(now)
  }
}

async function issue(
  provide: SasProviderOptions['provide'],
  options: SasCredentialOptions,
  now: number,
): Promise<IssuedToken<SasCredential>> {
  const token = new SasCredential(await ask(provide), options)
  const { expiry: expires } = token
  if (expires === undefined) return { token, renewAt: now + UNKNOWN_HALF_LIFE, expires: Infinity }
  if (expires > now) return { token, renewAt: now + (expires - now) / 2, expires }
  throw new TransportError({
    code: 'CredentialUnavailable',
    message: `The provider of shared access signatures gave one that expired at ${new Date(expires).toISOString()}. It must make a new one each time.`,
    mayHaveApplied: false,
  })
}

async function ask(provide: SasProviderOptions['provide']): Promise<string> {
  try {
    const provided = await provide()
    return typeof provided === 'string' ? provided : provided.token
  } catch (cause) {
    throw new TransportError({
      code: 'CredentialUnavailable',
      message: 'No shared access signature was provided; the cause says why. Nothing was sent.',
      cause,
      mayHaveApplied: false,
    })
  }
}
