import { tell } from '../observe/tell.ts'

/** For tokens of which nobody knows when they end. */
const LONGEST_PAUSE = 15 * 60_000

/** A token as it was issued. */
export interface IssuedToken<Token> {
  /** What proves who is asking. */
  readonly token: Token
  /** When to get the next one: milliseconds since 1970, UTC. */
  readonly renewAt: number
  /** When this one ends: milliseconds since 1970, UTC. `Infinity` when nobody knows. */
  readonly expires: number
}

/**
 * A token that is replaced before it ends. Calls share one renewal. While the old token is good they
 * use it and do not wait; should the renewal fail, they go on using it, the failure is reported, and
 * the next try is made after half of the time that is left, at most 15 minutes.
 */
export class RenewedToken<Token> {
  readonly #issue: (now: number) => Promise<IssuedToken<Token>>
  readonly #onError: ((error: unknown) => void) | undefined
  #issued: IssuedToken<Token> | undefined
  #renewal: Promise<IssuedToken<Token>> | undefined

  /**
   * @param issue - gets a new token
   * @param onError - is told of a renewal that failed; its own errors are dropped
   */
  constructor(
    issue: (now: number) => Promise<IssuedToken<Token>>,
    onError?: ((error: unknown) => void) | undefined,
  ) {
    this.#issue = issue
    this.#onError = onError
  }

  /**
   * The token to use now: at once while there is a good one, otherwise when it has been issued.
   *
   * @param now - milliseconds since 1970, UTC
   * @throws what issuing threw, when there is no good token to fall back on
   */
  at(now: number): Token | Promise<Token> {
    const issued = this.#issued
    if (issued === undefined || now >= issued.expires) {
      return this.#renew(now).then(({ token }) => token)
    }
    if (now >= issued.renewAt && this.#renewal === undefined) {
      this.#renew(now).catch((error: unknown) => this.#postpone(issued, now, error))
    }
    return issued.token
  }

  /** Drops the token, so that the next call gets a new one. */
  forget(): void {
    this.#issued = undefined
    this.#renewal = undefined
  }

  #renew(now: number): Promise<IssuedToken<Token>> {
    if (this.#renewal !== undefined) return this.#renewal
    const renewal = this.#issue(now).then(
      (issued) => {
        if (this.#renewal === renewal) this.#end(issued)
        return issued
      },
      (error: unknown) => {
        if (this.#renewal === renewal) this.#renewal = undefined
        throw error
      },
    )
    this.#renewal = renewal
    return renewal
  }

  #end(issued: IssuedToken<Token>): void {
    this.#issued = issued
    this.#renewal = undefined
  }

  #postpone(issued: IssuedToken<Token>, now: number, error: unknown): void {
    const pause = Math.min((issued.expires - now) / 2, LONGEST_PAUSE)
    if (this.#issued === issued) this.#issued = { ...issued, renewAt: now + pause }
    if (this.#onError !== undefined) tell(this.#onError, error)
  }
}
