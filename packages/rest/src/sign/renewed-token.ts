import { tell } from '../observe/tell.ts'

/** For tokens of which nobody knows when they end. */
const LONGEST_PAUSE = 15 * 60_000

/** How long calls share one renewal that does not end. */
const LONGEST_SHARED = 30_000

/** A token as it was issued. */
export interface IssuedToken<Token> {
  /** What proves who is asking. */
  readonly token: Token
  /** When to get the next one: milliseconds since 1970, UTC. */
  readonly renewAt: number
  /** When this one ends: milliseconds since 1970, UTC. `Infinity` when nobody knows. */
  readonly expires: number
}

/** A renewal that calls share. */
interface Renewal<Token> {
  readonly issued: Promise<IssuedToken<Token>>
  /** When it began: milliseconds since 1970, UTC. */
  readonly since: number
}

/**
 * A token that is replaced before it ends. Calls share one renewal. While the old token is good they
 * use it and do not wait; should the renewal fail, they go on using it, the failure is reported, and
 * the next try is made after half of the time that is left, at most 15 minutes. A renewal that a call
 * has given up, or that has not ended after 30 seconds, is no longer shared: the next call begins
 * another. Its token is taken all the same, should it come.
 */
export class RenewedToken<Token> {
  readonly #issue: (now: number) => Promise<IssuedToken<Token>>
  readonly #onError: ((error: unknown) => void) | undefined
  #issued: IssuedToken<Token> | undefined
  #renewal: Renewal<Token> | undefined
  #timesForgotten = 0

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
    if (now >= issued.renewAt && this.#shared(now) === undefined) {
      this.#renew(now).catch((error: unknown) => this.#postpone(issued, now, error))
    }
    return issued.token
  }

  /** Drops the token, so that the next call gets a new one. */
  forget(): void {
    this.#issued = undefined
    this.#renewal = undefined
    this.#timesForgotten++
  }

  /**
   * Drops one token, unless it has been dropped or replaced before: who learns late that it is refused
   * gets the one that others have asked for since.
   *
   * @param token - the one that was refused
   */
  drop(token: Token): void {
    if (this.#issued?.token === token) this.forget()
  }

  /**
   * Is told that a call no longer waits for a token.
   *
   * @param now - when it began to wait; a renewal that began later is shared on
   */
  giveUp(now: number): void {
    if (this.#renewal !== undefined && this.#renewal.since <= now) this.#renewal = undefined
  }

  #shared(now: number): Renewal<Token> | undefined {
    return this.#renewal && now - this.#renewal.since < LONGEST_SHARED ? this.#renewal : undefined
  }

  #renew(now: number): Promise<IssuedToken<Token>> {
    const shared = this.#shared(now)
    if (shared !== undefined) return shared.issued
    const forgotten = this.#timesForgotten
    const end = (): void => {
      if (this.#renewal === renewal) this.#renewal = undefined
    }
    const issued = this.#issue(now).then(
      (token) => {
        end()
        if (this.#timesForgotten === forgotten) this.#keep(token)
        return token
      },
      (error: unknown) => {
        end()
        throw error
      },
    )
    const renewal = { issued, since: now }
    this.#renewal = renewal
    return issued
  }

  /** Of two renewals the one begun first may end last. */
  #keep(issued: IssuedToken<Token>): void {
    if (this.#issued === undefined || issued.expires >= this.#issued.expires) this.#issued = issued
  }

  #postpone(issued: IssuedToken<Token>, now: number, error: unknown): void {
    const pause = Math.min((issued.expires - now) / 2, LONGEST_PAUSE)
    if (this.#issued === issued) this.#issued = { ...issued, renewAt: now + pause }
    if (this.#onError !== undefined) tell(this.#onError, error)
  }
}
