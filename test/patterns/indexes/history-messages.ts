import type { Account } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import type { EntityTransition } from '@rowkey/patterns'
import type { VirtualTime } from '../../rest/simulation/virtual-time.ts'
import type { Announced, MessageHandler } from '../announcing.ts'

/** What tells the message of a write from all others: the marks of its row. */
export interface HistoryMessage {
  /** Whose outbox it is of. */
  readonly of: string
  /** The keys of the row. */
  readonly row: string
  /** The mark of the row before the write; 0 for a new row. */
  readonly was: number
  /** The mark of the row after the write; 0 for a deleted row. */
  readonly is: number
  /** Counts the messages that programs have made, those of rejected writes included. */
  readonly number: number
}

/** An entity with the number that its last write has put into it. */
interface Marked {
  readonly mark?: number | undefined
}

/** An outbox of a program, as the jobs use it. */
export interface HistoryOutbox {
  on(account: Account): {
    deliver(
      partition: Announced,
      handler: MessageHandler<HistoryMessage>,
      job: { readonly attempt: number },
    ): Promise<number>
    send(partition: object, message: HistoryMessage): Promise<void>
    retryDead(partition: object): Promise<number>
  }
}

/** The outboxes of a program, by the names of their models. */
export type HistoryOutboxes = Readonly<Record<string, HistoryOutbox>>

/** A program that may have outboxes. */
interface MessagingProgram {
  readonly messaging: { readonly outboxes: HistoryOutboxes } | undefined
  /** Without faults. */
  readonly calm: Account
}

interface Job {
  readonly of: string
  readonly partition: string
  due: number
  attempt: number
}

/** One call of a handler. */
interface Handling {
  readonly id: string
  readonly message: HistoryMessage
  readonly hasFailed: boolean
}

/** What a history says of itself. */
export interface MessagesHistory {
  readonly time: VirtualTime
  random(below: number): number
  report(wrong: string): void
}

/** How often a message is tried. */
export const ATTEMPTS = 3

const SENT = 'sent'

/**
 * The jobs of the outboxes of a history, and what became of its messages. Each write marks its row, so the messages about a row must form a
 * chain from what it held at first to what it holds at last: a missing message, one of a write that was rejected, or another order breaks it.
 */
export class HistoryMessages {
  /** Whether only one program acts, so that messages have the order of their numbers. */
  isAlone = true
  /** How often something failed that may repeat the delivery of a message. */
  faults = 0
  readonly #history: MessagesHistory
  readonly #first: ReadonlyMap<string, number>
  readonly #jobs: Job[] = []
  readonly #handlings: Handling[] = []
  readonly #sent: number[] = []
  readonly #crowded = new Set<number>()
  /** The marks of rows that another client wrote, without a message. */
  readonly #past = new Set<number>()
  readonly #madeBefore: number
  #mark: number
  #made: number
  #isCured = false

  /**
   * @param history - its time and randomness
   * @param first - the marks of the rows that it begins with
   * @param made - how many messages were made before; those that are left, as dead letters, do not count
   */
  constructor(history: MessagesHistory, first: ReadonlyMap<string, number>, made: number) {
    this.#history = history
    this.#madeBefore = made
    this.#made = made
    this.#first = first
    this.#mark = Math.max(0, ...first.values())
  }

  /** How many messages were made. */
  get made(): number {
    return this.#made
  }

  /** Returns the mark of a new write. */
  nextMark(): number {
    return ++this.#mark
  }

  /** Returns the mark of a write that has no message. */
  markPast(): number {
    const mark = this.nextMark()
    this.#past.add(mark)
    return mark
  }

  /** Makes the message of a write. */
  make(of: string, row: string, { before, after }: EntityTransition<Marked>): HistoryMessage {
    return this.#message(of, row, before?.mark, after?.mark)
  }

  #message(of: string, row: string, was = 0, is = 0): HistoryMessage {
    const number = ++this.#made
    if (!this.isAlone) this.#crowded.add(number)
    return { of, row, was, is, number }
  }

  /** Adds a job. */
  announce(of: string, partition: Announced, delay: number): void {
    const text = JSON.stringify(partition)
    this.#jobs.push({ of, partition: text, due: this.#history.time.now() + delay, attempt: 0 })
  }

  /** Does a job that is due, sends a message without a row, or sends dead letters again. */
  async act(outboxes: HistoryOutboxes, account: Account, department: string): Promise<void> {
    const { time, random } = this.#history
    const kind = random(8)
    const of = random(3) === 0 ? 'Invoice' : 'Employee'
    const outbox = outboxes[of]?.on(account)
    if (kind === 0) {
      const message = this.#message(of, `${department} ${SENT}`)
      await outbox?.send({ department }, message)
      this.#sent.push(message.number)
    } else if (kind === 1) {
      this.#isCured = true
      await outbox?.retryDead({ department })
    } else {
      const due = this.#jobs.filter(({ due }) => due <= time.now())
      const job = due[random(due.length)]
      if (job !== undefined) await this.#deliver(job, outboxes, account)
    }
  }

  async #deliver(job: Job, outboxes: HistoryOutboxes, account: Account): Promise<void> {
    const { time, random } = this.#history
    // Another worker gets it when this one has died.
    job.due = Number.POSITIVE_INFINITY
    job.attempt++
    try {
      const partition: Announced = JSON.parse(job.partition)
      const handle = this.#handler(job.of)
      await outboxes[job.of]?.on(account).deliver(partition, handle, { attempt: job.attempt })
    } catch (error) {
      this.faults++
      job.due = time.now() + random(30_000)
      throw error
    }
    // A queue may deliver a job again that has ended.
    if (random(20) === 0) {
      this.faults++
      job.due = time.now() + random(30_000)
    } else this.#jobs.splice(this.#jobs.indexOf(job), 1)
  }

  #handler(of: string): MessageHandler<HistoryMessage> {
    const { time, random, report } = this.#history
    return async (message, _options, { id, attempt }) => {
      if (message.of !== of) report(`the handler of ${of} gets a message of ${message.of}`)
      const hasFailed = isPoison(message) ? !this.#isCured : isFlaky(message) && attempt === 1
      this.#handlings.push({ id, message, hasFailed })
      if (random(6) === 0) await time.sleep(random(3_000))
      if (hasFailed) throw new Error('transport failed')
    }
  }

  /** Does all jobs that are left, in turn. */
  async finish(programs: readonly MessagingProgram[]): Promise<void> {
    const { time, random, report } = this.#history
    this.isAlone = true
    for (let count = 0; this.#jobs.length > 0; count++) {
      if (count === 400) return report(`${this.#jobs.length} jobs do not end`)
      const job = this.#jobs.reduce((one, other) => (other.due < one.due ? other : one))
      await time.sleep(Math.max(0, job.due - time.now()))
      const { messaging, calm } = programs[random(programs.length)] as MessagingProgram
      await this.#deliver(job, messaging?.outboxes ?? {}, calm)
    }
  }

  /** Returns the marks of rows as they are stored. */
  static marksIn(stored: readonly DynamicEntity[]): ReadonlyMap<string, number> {
    const own = stored.filter(({ rowKey }) => /^(?:empid|inv)_/.test(rowKey))
    return new Map(
      own.map((row) => [`${row.partitionKey} ${row.rowKey}`, Number(row.get('mark')?.value)]),
    )
  }

  /**
   * Compares what was handled with the rows, when all jobs are done.
   *
   * @param stored - all rows of the table
   */
  compare(stored: readonly DynamicEntity[], place: string): void {
    const report = (wrong: string) => this.#history.report(`${place}: ${wrong}`)
    const dead: HistoryMessage[] = []
    for (const row of stored) {
      const [, kind] = /^outbox_[a-z]+_(dead_)?\d/.exec(row.rowKey) ?? [undefined, undefined]
      const text = row.get('Message')?.value
      if (kind === 'dead_') dead.push(JSON.parse(String(text)))
      else if (row.rowKey.startsWith('outbox_') && text !== undefined) {
        report(`the message ${text} is left`)
      }
    }
    const done = this.#handlings.filter(({ hasFailed }) => !hasFailed)
    if (this.faults === 0) {
      const again = done.find(({ id }, at) => done.findIndex((each) => each.id === id) < at)
      if (again !== undefined) report(`${JSON.stringify(again)} was handled twice`)
      this.#compareOrder(done, report)
    }
    const numbers = new Set([...done.map(({ message }) => message.number), ...dead.map(numberOf)])
    const lost = this.#sent.find((number) => !numbers.has(number))
    if (lost !== undefined) report(`the message ${lost}, which was sent, is lost`)
    this.#compareChains(done, dead, HistoryMessages.marksIn(stored), report)
  }

  /** Messages of a partition follow one another, but for those that wait, and dead letters of a history before. */
  #compareOrder(done: readonly Handling[], report: (wrong: string) => void): void {
    const failed = this.#handlings.filter(({ hasFailed }) => hasFailed)
    const waited = new Set(failed.map(({ message }) => placeOf(message)))
    const last = new Map<string, number>()
    for (const { message } of done) {
      if (waited.has(placeOf(message)) || this.#crowded.has(message.number)) continue
      if (message.number <= this.#madeBefore) continue
      const partition = `${message.of} ${message.row.split(' ')[0]}`
      const before = last.get(partition) ?? 0
      if (message.number < before) report(`message ${message.number} came after ${before}`)
      last.set(partition, message.number)
    }
  }

  /** The messages of each row lead from its first mark to the stored one. */
  #compareChains(
    done: readonly Handling[],
    dead: readonly HistoryMessage[],
    marks: ReadonlyMap<string, number>,
    report: (wrong: string) => void,
  ): void {
    const first = new Map<string, HistoryMessage>()
    for (const { id, message } of done) if (!first.has(id)) first.set(id, message)
    const late = new Set(dead.map(numberOf))
    // What was sent again lost its place.
    const isLate = (message: HistoryMessage): boolean =>
      late.has(message.number) || isPoison(message) || (this.#isCured && this.#hasFailed(message))
    const handled = [...first.values()]
    const left = dead.filter(({ number }) => !handled.some((each) => each.number === number))
    const all = [...handled, ...left].filter(
      ({ row, number }) => !row.endsWith(SENT) && number > this.#madeBefore,
    )
    const rows = new Set([...all.map(({ row }) => row), ...marks.keys(), ...this.#first.keys()])
    for (const row of rows) {
      const own = all.filter((each) => each.row === row)
      const [links, spare] = [own.filter((each) => !isLate(each)), own.filter(isLate)]
      const end = marks.get(row) ?? 0
      if (this.#leads(this.#first.get(row) ?? 0, links, spare, end)) continue
      const path = links.map(({ was, is }) => `${was}→${is}`).join(' ')
      const rest = spare.map(({ was, is }) => `${was}→${is}`).join(' ')
      report(
        `the messages of ${row} are ${path}, later ${rest}; it was ${this.#first.get(row) ?? 0} and is ${end}`,
      )
    }
  }

  #hasFailed({ number }: HistoryMessage): boolean {
    const own = this.#handlings.filter(({ message }) => message.number === number)
    return own.length > 1 || own.some(({ hasFailed }) => hasFailed)
  }

  /** Tells whether links, with some of the others in between, lead from a mark to another one. */
  #leads(
    from: number,
    [next, ...links]: readonly HistoryMessage[],
    spare: readonly HistoryMessage[],
    end: number,
  ): boolean {
    const goal = next?.was ?? end
    if (from === goal || this.#past.has(goal)) {
      const isEnd = next === undefined && (spare.length === 0 || this.#past.size > 0)
      if (isEnd || (next !== undefined && this.#leads(next.is, links, spare, end))) return true
    }
    const rest = next === undefined ? links : [next, ...links]
    return spare.some(
      (each) =>
        (each.was === from || this.#past.has(each.was)) &&
        this.#leads(
          each.is,
          rest,
          spare.filter((other) => other !== each),
          end,
        ),
    )
  }
}

function numberOf({ number }: HistoryMessage): number {
  return number
}

/** What waits when a handler fails: messages without a row wait for each other. */
function placeOf({ of, row }: HistoryMessage): string {
  return `${of} ${row}`
}

/** Messages whose handler fails in every attempt, until dead letters are sent again. */
function isPoison({ number }: HistoryMessage): boolean {
  return number % 23 === 7
}

/** Messages whose handler fails at first. */
function isFlaky({ number }: HistoryMessage): boolean {
  return number % 7 === 3
}
