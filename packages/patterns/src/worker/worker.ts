import type { Account } from '@rowkey/mapper'
import { InputError, isRowkeyError } from '@rowkey/odata'
import {
  type CallOptions,
  callOptions,
  sleep as defaultSleep,
  onAbort,
  type Sleep,
  type TableService,
} from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { printJson } from '../errors/print-json.ts'
import { aDuration, aSignal } from '../errors/rules.ts'
import { type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import { type DeadLetter, jobAgain, jobIn, letterIn, printLetter } from './dead-letter.ts'
import type { Delivery, Handler } from './delivery.ts'
import { delayAfter, reasonOf } from './failed-attempt.ts'
import { HeldMessage } from './held-message.ts'
import type { Queue, QueueDepth, QueueMessage } from './queue.ts'

/** What became of the jobs of one look at the queue. */
export interface JobTally {
  /** Jobs that succeeded. */
  readonly done: number
  /** Jobs that failed and are delivered again. */
  readonly failed: number
  /** Jobs that became dead letters. */
  readonly dead: number
}

/** The parts of an opened worker. */
export interface WorkerParts {
  readonly attempts?: number | undefined
  readonly visibility?: number | undefined
  readonly concurrency?: number | undefined
  readonly renewal?: Sleep | undefined
  readonly account: Account
  readonly queue: Queue
  readonly dead: Queue
  readonly handlers: ReadonlyMap<string, Handler<never>>
}

/** Milliseconds between two looks at a queue whose messages are hidden. */
const HIDDEN_LOOK = 1_000
/** Milliseconds of the first wait for an empty queue, and of the longest. */
const FIRST_LOOK = 100
const LONGEST_LOOK = 10_000
/** The most dead letters that are read at once. */
const MOST_LETTERS = 32

/**
 * Sends and does the jobs of one account, from {@link Work.on}.
 *
 * A job that fails waits 1 s, 2 s, 4 s and so on, up to 10 minutes. After the last attempt it moves to the dead letters, from where
 * {@link Worker.retryDead} sends it again.
 */
export class Worker<Jobs extends object> {
  readonly #account: Account
  readonly #service: TableService
  readonly #queue: Queue
  readonly #dead: Queue
  readonly #handlers: ReadonlyMap<string, Handler<never>>
  readonly #attempts: number
  readonly #visibility: number
  readonly #concurrency: number
  readonly #renewal: Sleep

  /** @internal */
  constructor(parts: WorkerParts) {
    this.#account = parts.account
    this.#service = parts.account.service
    this.#queue = parts.queue
    this.#dead = parts.dead
    this.#handlers = parts.handlers
    this.#attempts = parts.attempts ?? 5
    this.#visibility = parts.visibility ?? 30_000
    this.#concurrency = parts.concurrency ?? 8
    this.#renewal = parts.renewal ?? defaultSleep
  }

  /**
   * Sends a job. When this call has resolved, the job will be done.
   *
   * @param kind - the name of its handler
   * @param payload - what the handler needs, as JSON holds it: a Date arrives as text
   * @param delay - milliseconds before it may be done; 0 when absent
   * @param options - the options of the calls on the account
   * @throws InputError (`InvalidPatternOption`) for a payload with a function, a bigint, NaN or another value that JSON
   * cannot hold; the message names its path
   */
  async send<Kind extends keyof Jobs & string>(
    kind: Kind,
    payload: Jobs[Kind],
    delay = 0,
    options: CallOptions = {},
  ): Promise<void> {
    if (!this.#handlers.has(kind))
      throw invalidPatternOption(
        `The worker of queue ${this.#queue.name} has no handler for '${String(kind)}'. Declare one.`,
      )
    const place = `The payload of a job '${kind}'`
    const text = `{"kind":${JSON.stringify(kind)},"payload":${printJson(payload, place)}}`
    checkArgument(aDuration, delay, `The delay of a job '${kind}'`)
    callOptions.check(options, `send of a job '${kind}'`)
    await this.#queue.send(text, delay, options)
  }

  /** Does the jobs that are visible now, up to `concurrency` of them. */
  async runOnce(signal?: AbortSignal): Promise<JobTally> {
    if (signal !== undefined) checkArgument(aSignal, signal, 'The signal of runOnce')
    const count = this.#concurrency
    const ends = await this.#service.call({}, 'runOnce of a worker', async ({ options: call }) => {
      const messages = await this.#queue.receive({ count, visibility: this.#visibility }, call)
      return allEnded(messages.map((message) => this.#deliver(message, signal, call)))
    })
    const tally = { done: 0, failed: 0, dead: 0 }
    for (const end of ends) tally[end]++
    return tally
  }

  /**
   * Does jobs until the signal aborts, and ends between two looks at the queue. It rejects when the account is closed; with `drain`,
   * after the jobs in hand. An empty queue is looked at after 100 ms, and then more and more rarely, up to every 10 s.
   *
   * @param signal - ends the worker
   * @throws any error of the queue itself
   */
  async run(signal: AbortSignal): Promise<void> {
    checkArgument(aSignal, signal, 'The signal of run')
    let wait = FIRST_LOOK
    while (!signal.aborted) {
      const { done, failed, dead } = await this.runOnce(signal)
      if (done + failed + dead > 0) wait = FIRST_LOOK
      else {
        await this.#service.sleep(wait, signal).catch(() => undefined)
        wait = Math.min(wait * 2, LONGEST_LOOK)
      }
    }
  }

  /**
   * Does jobs until none is left, hidden and delayed ones included: for tests and for shutting
   * down.
   */
  async drain(): Promise<JobTally> {
    const sum = { done: 0, failed: 0, dead: 0 }
    for (;;) {
      const { done, failed, dead } = await this.runOnce()
      sum.done += done
      sum.failed += failed
      sum.dead += dead
      if (done + failed + dead > 0) continue
      if ((await this.#queue.depth()).messages === 0) return sum
      await this.#service.sleep(HIDDEN_LOOK)
    }
  }

  /** Counts the jobs, and tells since when the oldest waits. */
  async depth(): Promise<QueueDepth> {
    return this.#queue.depth()
  }

  /** Reads the first 32 dead letters. */
  async deadLetters(options: ManyWritesOptions = {}): Promise<DeadLetter[]> {
    const place = 'deadLetters of a worker'
    manyWritesOptions.check(options, place)
    const letters = await this.#service.call(options, place, (call) =>
      this.#dead.peek(MOST_LETTERS, call.options),
    )
    return letters.map(({ text, id }) => letterIn(text, id))
  }

  /**
   * Sends all dead letters again, as new jobs. A job may be sent twice if the process ends meanwhile.
   *
   * @returns how many were sent
   */
  async retryDead(options: ManyWritesOptions = {}): Promise<number> {
    const place = 'retryDead of a worker'
    manyWritesOptions.check(options, place)
    return this.#service.call(options, place, async ({ options: call }) => {
      const received = { count: MOST_LETTERS, visibility: this.#visibility }
      for (let sent = 0; ; ) {
        const messages = await this.#dead.receive(received, call)
        if (messages.length === 0) return sent
        for (const message of messages) {
          await this.#queue.send(jobAgain(message.text), 0, call)
          await this.#dead.delete(message, call)
          sent++
        }
      }
    })
  }

  async #deliver(
    message: QueueMessage,
    signal: AbortSignal | undefined,
    options: CallOptions,
  ): Promise<'done' | 'failed' | 'dead'> {
    const [queue, visibility] = [this.#queue, this.#visibility]
    const held = new HeldMessage(message, { queue, visibility, options })
    const { id, dequeueCount: attempt } = message
    if (attempt > this.#attempts) {
      // Each of the earlier deliveries ended with its worker.
      return this.#bury(message, 'No worker has finished the job.', held)
    }
    const stopped = new AbortController()
    const release = signal && passOn(signal, stopped)
    const delivery: Delivery = {
      id,
      attempt,
      account: this.#account,
      signal: AbortSignal.any([held.lost, stopped.signal]),
      options,
      keep: () => held.extend(),
    }
    try {
      await held.during(() => this.#handle(message, delivery), this.#renewal)
    } catch (error) {
      if (attempt >= this.#attempts) return this.#bury(message, reasonOf(error), held)
      await held.extend(delayAfter(attempt))
      return 'failed'
    } finally {
      release?.()
    }
    await held.delete()
    return 'done'
  }

  async #handle({ text }: QueueMessage, delivery: Delivery): Promise<void> {
    const { kind, payload } = jobIn(text)
    const handler = this.#handlers.get(String(kind))
    if (handler === undefined)
      throw invalidPatternOption(
        `This worker has no handler for a job of the kind ${JSON.stringify(kind)}. Declare it, and call retryDead.`,
      )
    await handler(payload as never, delivery) // as it was sent
  }

  async #bury(
    message: QueueMessage,
    reason: string,
    held: HeldMessage,
  ): Promise<'failed' | 'dead'> {
    const { id, dequeueCount: attempts, text: job } = message
    const { options } = held
    // The worker that has it now decides, so that one job has one dead letter.
    if (!(await held.extend())) return 'failed'
    const letter = printLetter({ from: this.#queue.name, id, attempts, reason, job })
    // First the letter: a job that is in neither queue would be lost.
    try {
      await this.#dead.send(letter, 0, options)
    } catch (error) {
      // Only a letter that is too long for the queue is stored without its envelope.
      const isTooLong = error instanceof InputError || !isRowkeyError(error)
      await this.#dead.send(isTooLong ? job : letter, 0, options)
    }
    await held.delete()
    return 'dead'
  }
}

/** Aborts with the signal of a worker. `AbortSignal.any` would leave a trace of each job in that signal. */
function passOn(signal: AbortSignal, job: AbortController): () => void {
  const abort = (): void => job.abort(signal.reason)
  if (signal.aborted) abort()
  return onAbort(signal, abort)
}

/** Waits for all jobs in hand, also when the queue itself fails for one of them. */
async function allEnded<Result>(calls: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(calls)
  return Promise.all(calls)
}
