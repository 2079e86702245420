import { tell } from '../observe/tell.ts'

/** The longest wait after a failed renewal. */
const LONGEST_PAUSE = 15 * 60_000

/** How long calls share a renewal that does not end. */
const LONGEST_SHARED = 30_000

/** A token, and how long it lasts. */
export interface IssuedToken<Token> {
  /** The token. */
  readonly token: Token
  /** When to request the next one: milliseconds since 1970, UTC. */
  readonly renewAt: number
  /** When it expires: milliseconds since 1970, UTC. `Infinity` when that is unknown. */
  readonly expires: number
}

/** A renewal that calls share. */
interface Renewal<Token> {
  readonly issued: Promise<IssuedToken<Token>>
  /** When it began: milliseconds since 1970, UTC. */
  readonly since: number
}

/**
 * Keeps a token and renews it before it expires. Calls share one renewal, and use the current token
 * without waiting while it is valid. After a failed renewal they continue with it; the failure is
 * reported, and the next renewal starts after half of the remaining time, at most 15 minutes. A
 * renewal that a call has given up, or that takes longer than 30 seconds, is no longer shared: the
 * next call starts another. Its token is still used if it arrives.
 */
export class RenewedToken<Token> {
  readonly #issue: (now: number) => Promise<IssuedToken<Token>>
  readonly #onError: ((error: unknown) => void) | undefined
  #issued: IssuedToken<Token> | undefined
  #renewal: Renewal<Token> | undefined
  #timesForgotten = 0

  /**
   * @param issue - gets a new token
   * @param onError - receives the error of a failed renewal; its own errors are dropped
   */
  constructor(
    issue: (now: number) => Promise<IssuedToken<Token>>,
    onError?: ((error: unknown) => void) | undefined,
  ) {
    this.#issue = issue
    this.#onError = onError
  }

  /**
   * Returns the token: at once while it is valid, otherwise when a new one has been issued.
   *
   * @param now - milliseconds since 1970, UTC
   * @throws the error of `issue`, without a valid token
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

  /** Drops the token; the next call gets a new one. */
  forget(): void {
    this.#issued = undefined
    this.#renewal = undefined
    this.#timesForgotten++
  }

  /**
   * Drops a rejected token, unless it was already replaced: a call that learns late of the rejection
   * uses the token that others have requested since.
   *
   * @param token - the rejected token
   */
  drop(token: Token): void {
    if (this.#issued?.token === token) this.forget()
  }

  /**
   * Records that a call stopped waiting for a token.
   *
   * @param now - when it began to wait; a renewal that began later is still shared
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

  /** The renewal that began first may end last. */
  #keep(issued: IssuedToken<Token>): void {
    if (this.#issued === undefined || issued.expires >= this.#issued.expires) this.#issued = issued
  }

  #postpone(issued: IssuedToken<Token>, now: number, error: unknown): void {
    const pause = Math.min((issued.expires - now) / 2, LONGEST_PAUSE)
    if (this.#issued === issued) this.#issued = { ...issued, renewAt: now + pause }
    if (this.#onError !== undefined) tell(this.#onError, error)
  }
}
