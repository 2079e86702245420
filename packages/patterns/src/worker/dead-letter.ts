/**
 * What failed in every attempt: a job of a worker, or a message of an outbox.
 *
 * @example
 * ```ts
 * for (const { kind, reason } of await work.on(account).deadLetters()) console.log(kind, reason)
 * ```
 */
export interface DeadLetter<Payload = unknown> {
  /** Identifies it, in all attempts. */
  readonly id: string
  /** The kind of a job; the title of the model for a message of its outbox. */
  readonly kind: string
  /** The payload of a job, or the message, as JSON holds it. */
  readonly payload: Payload
  /** How often it was tried. */
  readonly attempts: number
  /** Why its handler failed last. */
  readonly reason: string
}

/** A job as its message holds it. */
interface StoredJob {
  readonly kind?: unknown
  readonly payload?: unknown
}

/** Reads the job of a message; another program may have sent any text. */
export function jobIn(text: string): StoredJob {
  return objectIn(text)
}

/** Prints a dead letter: the job beside what is known of it. */
export function printLetter(letter: {
  readonly from: string
  readonly id: string
  readonly attempts: number
  readonly reason: string
  readonly job: string
}): string {
  return JSON.stringify(letter)
}

/** Returns the text of the job of a dead letter. A letter that was too long is the job itself. */
export function jobAgain(letter: string): string {
  const { job } = objectIn(letter)
  return typeof job === 'string' ? job : letter
}

/**
 * Reads a dead letter.
 *
 * @param text - the text of its message
 * @param id - the id of that message, for a letter without its own
 */
export function letterIn(text: string, id: string): DeadLetter {
  const letter = objectIn(text)
  const { kind, payload } = jobIn(jobAgain(text))
  return {
    id: typeof letter.job === 'string' ? String(letter.id) : id,
    kind: String(kind),
    payload,
    attempts: Number(letter.attempts ?? 0),
    reason: String(letter.reason ?? ''),
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
