import type { Call } from '@rowkey/rest'

/** Keeps the last turn of each subject, while a turn of it is pending. */
export interface LastTurns<Subject, Work> {
  /** Returns the last turn of a subject. */
  read(subject: Subject): Turn<Subject, Work> | undefined
  /** Sets the last turn of a subject. */
  keep(subject: Subject, last: Turn<Subject, Work> | undefined): void
}

/** A piece of work, from the call that asks for it to its end. Works of one subject follow one another. */
export class Turn<Subject, Work> {
  /** What is done. */
  readonly work: Work
  /** Whether it has ended. */
  isOver = false
  readonly #subject: Subject
  readonly #turns: LastTurns<Subject, Work>
  /** The turn before this one. */
  #before: Turn<Subject, Work> | undefined
  #ended: Promise<void> | undefined
  #tellEnded: (() => void) | undefined
  /** The call that has waited for the turn. */
  #call: Pick<Call, 'end'> | undefined

  /** Takes the turn after those that are pending. It ends with {@link Turn.end}. */
  constructor(turns: LastTurns<Subject, Work>, subject: Subject, work: Work) {
    this.work = work
    this.#subject = subject
    this.#turns = turns
    this.#before = turns.read(subject)
    turns.keep(subject, this)
  }

  /** Whether an earlier turn is pending. */
  get hasToWait(): boolean {
    return this.#earlier !== undefined
  }

  /**
   * Waits until the earlier turns have ended. A call that has to end does not wait, and its requests say why; the turns after this one
   * still wait for the earlier ones.
   *
   * @param call - does the work; closing with `drain` waits for it until the turn ends
   * @throws TransportError (`AccountClosed`) when the account is closing
   */
  async come(call: Pick<Call, 'begin' | 'end' | 'orEnded'>): Promise<void> {
    call.begin()
    this.#call = call
    for (let earlier = this.#earlier; earlier !== undefined; earlier = this.#earlier) {
      await call.orEnded(earlier.#whenEnded())
      if (!earlier.isOver) return
    }
  }

  /** Ends the turn. */
  end(): void {
    this.isOver = true
    this.#tellEnded?.()
    this.#call?.end()
    const last = this.#turns.read(this.#subject)
    if (last?.isOver) this.#turns.keep(this.#subject, last.#earlier)
  }

  /** Returns what is done in the pending turns up to this one, the first turn first. */
  pending(): readonly Work[] {
    const works: Work[] = []
    let turn: Turn<Subject, Work> | undefined = this
    for (; turn !== undefined; turn = turn.#earlier) if (!turn.isOver) works.push(turn.work)
    return works.reverse()
  }

  /** The last of the earlier turns that is pending. */
  get #earlier(): Turn<Subject, Work> | undefined {
    let before = this.#before
    while (before?.isOver) before = before.#before
    this.#before = before
    return before
  }

  #whenEnded(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      this.#tellEnded = resolve
    })
    return this.#ended
  }
}
