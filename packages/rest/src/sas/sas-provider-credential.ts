import { aFunction, brand, declareOptions, required } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { credentialUnavailable } from '../errors/transport-error.ts'
import type { HttpRequest } from '../http/transport.ts'
import type { Credential } from '../sign/credential.ts'
import { type IssuedToken, RenewedToken } from '../sign/renewed-token.ts'
import { SasCredential, type SasCredentialOptions, sasCredentialRules } from './sas-credential.ts'
import { againstClock } from './sas-scope.ts'
import type { SharedAccessSignature } from './shared-access-signature.ts'

/** A token, or a signature from {@link tableSas} or {@link accountSas}. */
export type ProvidedSas = string | Pick<SharedAccessSignature, 'token'>

/** The options of a {@link SasProviderCredential}. */
export interface SasProviderOptions extends SasCredentialOptions {
  /** Gets a token, for example from your own server. Calls do not overlap unless one does not end. */
  readonly provide: () => ProvidedSas | Promise<ProvidedSas>
  /**
   * Receives the error of a failed renewal while the current token is still valid, so that no call
   * fails yet. Its own errors are dropped.
   */
  readonly onError?: ((error: unknown) => void) | undefined
}

const sasProviderOptions = declareOptions<SasProviderOptions>({
  ...sasCredentialRules,
  onError: aFunction,
  provide: required(aFunction),
})

/** When to renew a token that does not say when it expires. */
const UNKNOWN_HALF_LIFE = 15 * 60_000

/**
 * Sends shared access signatures that your own function provides, and renews them.
 *
 * A token is renewed after half of its life, as its `se` says; a token without `se` after 15 minutes.
 * Concurrent calls share one renewal, and do not wait for it while the current token is valid. After a
 * failed renewal the current token is used until it expires.
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
  static {
    brand(SasProviderCredential, 'rowkey.sasProviderCredential')
  }

  readonly #renewed: RenewedToken<SasCredential>

  /** @throws `InputError` (`InvalidOptionValue`) for an invalid option */
  constructor(options: SasProviderOptions) {
    sasProviderOptions.check(options, 'SasProviderCredential')
    const { provide, onError, checks } = options
    this.#renewed = new RenewedToken((now) => issue(provide, { checks }, now), onError)
  }

  /**
   * Adds the token to the end of a request's query.
   *
   * @throws {@link TransportError} (`CredentialUnavailable`) without a valid token
   * @throws `InputError` (`OutsideSasScope`) when the token does not allow the request
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

  /** Lets the next call request a token again. */
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
  throw credentialUnavailable(
    `The provider of shared access signatures returned one that expired at ${againstClock(expires, now)}. It must return a new one each time.`,
  )
}

async function ask(provide: SasProviderOptions['provide']): Promise<string> {
  try {
    const provided = await provide()
    return typeof provided === 'string' ? provided : provided.token
  } catch (cause) {
    throw credentialUnavailable(
      'The provider of shared access signatures failed; the cause says why. Nothing was sent.',
      { cause },
    )
  }
}
