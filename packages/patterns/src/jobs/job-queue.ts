import { aFunction, InputError, isRowkeyError, required, wholeNumber } from '@rowkey/odata'
import {
  type CallOptions,
  callOptions,
  sleep as defaultSleep,
  onAbort,
  type Sleep,
} from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { printJson } from '../errors/print-json.ts'
import { aCount, aDuration, aRecord, aSignal, aThingWith, LONGEST } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { delayAfter, reasonOf } from '../queues/failed-attempt.ts'
import type { Queue, QueueDepth, QueueMessage } from '../queues/queue.ts'
import { HeldMessage } from './held-message.ts'

/** The delivery of a job, as its handler sees it. */
export interface JobDelivery {
  /** Identifies the job, also when it is delivered again. */
  readonly id: string
  /** How often the job was delivered, this time included. */
  readonly attempt: number
  /** Aborts when the worker stops, and when another worker has the job. */
  readonly signal: AbortSignal
  /**
   * The options of the job's calls on the account of the queue. With them, closing that account with `drain` completes the job;
   * without them its calls are then rejected, and the job is delivered again later.
   */
  readonly options: CallOptions
  /**
   * Keeps the job for this worker for another visibility time. The worker does so by itself each time half of the visibility time
   * is over; call it before a step that must not run twice.
   *
   * @returns false when another worker has the job by now: stop then
   */
  keep(): Promise<boolean>
}

/**
 * Does one kind of job. Each job is delivered at least once, and may be delivered again after it succeeded, so every
 * step must be idempotent: `insertOrReplace`, `deleteIfExists`, or a write by the ETag that it read.
 */
export type JobHandler<Payload> = (payload: Payload, delivery: JobDelivery) => Promise<void>

/** The handlers of all kinds of jobs of a queue, by the names of the kinds. */
export type JobHandlers<Jobs extends object> = {
  readonly [Kind in keyof Jobs]: JobHandler<Jobs[Kind]>
}

/** The parts of a {@link JobQueue}. */
export interface JobQueueOptions<Jobs extends object> {
  /** Carries the jobs. */
  readonly queue: Queue
  /** Receives jobs that failed in every attempt, with the reason. */
  readonly deadLetters: Queue
  /** Does the jobs. */
  readonly handlers: JobHandlers<Jobs>
  /**
   * How often a job is tried before it becomes a dead letter.
   *
   * @defaultValue 5
   */
  readonly attempts?: number | undefined
  /**
   * Milliseconds after which a job of a worker that died is delivered again. A job may take longer: its worker renews the time
   * while the handler runs.
   *
   * @defaultValue 30_000
   */
  readonly visibility?: number | undefined
  /**
   * How many jobs a worker does at once, from 1 to 32.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
  /**
   * Waits between looks at an empty queue.
   *
   * @defaultValue a timer of this machine
   */
  readonly sleep?: Sleep | undefined
  /**
   * Waits between two renewals of a job in hand.
   *
   * @defaultValue a timer of this machine
   */
  readonly renewal?: Sleep | undefined
}

/** What became of the jobs of one look at the queue. */
export interface JobTally {
  /** Jobs that succeeded. */
  readonly done: number
  /** Jobs that failed and are delivered again. */
  readonly failed: number
  /** Jobs that became dead letters. */
  readonly dead: number
}

const aQueue = aThingWith('a queue', 'send', 'receive', 'extend', 'delete', 'depth')

const jobQueueOptions = declarePattern<JobQueueOptions<object>>({
  queue: required(aQueue),
  deadLetters: required(aQueue),
  handlers: required(aRecord),
  attempts: aCount,
  visibility: wholeNumber(1, LONGEST),
  concurrency: wholeNumber(1, 32),
  sleep: aFunction,
  renewal: aFunction,
})

/** Milliseconds between two looks at a queue whose messages are hidden. */
const HIDDEN_LOOK = 1_000
/** Milliseconds of the first wait for an empty queue, and of the longest. */
const FIRST_LOOK = 100
const LONGEST_LOOK = 10_000

/**
 * Sends jobs to a queue and does them, at least once each. It gives consistency across partitions, tables and other
 * stores in the end: a job is a list of idempotent steps, and is delivered until all of them succeeded. Readers may
 * see the stores between two steps, because jobs have no isolation.
 *
 * A job that fails waits 1 s, 2 s, 4 s and so on, up to 10 minutes. After the last attempt it moves to the dead
 * letters, from where {@link JobQueue.redrive} sends it again.
 *
 * @example
 * ```ts
 * const jobs = new JobQueue<{ archive: { department: string; id: number } }>({
 *   queue: tableQueue(account, 'jobs', { table: 'queues' }),
 *   deadLetters: tableQueue(account, 'deadjobs', { table: 'queues' }),
 *   handlers: { archive: (target, { options }) => archive(target, options) },
 * })
 * await jobs.send('archive', { department: 'Sales', id: 456 })
 * await jobs.run(signal) // in each worker
 * ```
 */
export class JobQueue<Jobs extends object> {
  readonly #queue: Queue
  readonly #dead: Queue
  readonly #handlers: ReadonlyMap<string, JobHandler<never>>
  readonly #attempts: number
  readonly #visibility: number
  readonly #concurrency: number
  readonly #sleep: Sleep
  readonly #renewal: Sleep

  /** @param options - the queues and the handlers */
  constructor(options: JobQueueOptions<Jobs>) {
    jobQueueOptions.check(options, 'JobQueue')
    const { queue, deadLetters, handlers } = options
    if ((queue.place ?? queue) === (deadLetters.place ?? deadLetters)) {
      throw invalidPatternOption(
        'deadLetters of a JobQueue must be another queue: its jobs are never tried again.',
      )
    }
    for (const [kind, handler] of Object.entries(handlers)) {
      checkArgument(aFunction, handler, `The handler '${kind}' of a JobQueue`)
    }
    this.#queue = queue
    this.#dead = deadLetters
    this.#handlers = new Map(Object.entries(handlers))
    this.#attempts = options.attempts ?? 5
    this.#visibility = options.visibility ?? 30_000
    this.#concurrency = options.concurrency ?? 8
    this.#sleep = options.sleep ?? defaultSleep
    this.#renewal = options.renewal ?? defaultSleep
  }

  /**
   * Sends a job. When this call has resolved, the job will be done.
   *
   * @param kind - the name of its handler
   * @param payload - what the handler needs, as JSON holds it: a Date arrives as text
   * @param delay - milliseconds before it may be done; 0 when absent
   * @param options - the options of the calls on the account of the queue
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
        `The queue ${this.#queue.name} has no handler for '${String(kind)}'. Declare one.`,
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
    const ends = await this.#inSeries(async (call) => {
      const messages = await this.#queue.receive({ count, visibility: this.#visibility }, call)
      return allEnded(messages.map((message) => this.#deliver(message, signal, call)))
    })
    const tally = { done: 0, failed: 0, dead: 0 }
    for (const end of ends) tally[end]++
    return tally
  }

  /**
   * Does jobs until the signal aborts, and ends between two looks at the queue. It rejects when the account of the
   * queue is closed; with `drain`, after the jobs in hand. An empty queue is looked at after
   * 100 ms, and then more and more rarely, up to every 10 s.
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
        await this.#sleep(wait, signal).catch(() => undefined)
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
      await this.#sleep(HIDDEN_LOOK)
    }
  }

  /** Counts the jobs, and tells since when the oldest waits. */
  async depth(): Promise<QueueDepth> {
    return this.#queue.depth()
  }

  /** Counts the dead letters. */
  async deadLetters(): Promise<QueueDepth> {
    return this.#dead.depth()
  }

  /**
   * Sends all dead letters again, as new jobs. A job may be sent twice if the process ends meanwhile.
   *
   * @returns how many were sent
   */
  async redrive(): Promise<number> {
    return this.#inSeries(async (call) => {
      for (let sent = 0; ; ) {
        const messages = await this.#dead.receive({ count: 32, visibility: this.#visibility }, call)
        if (messages.length === 0) return sent
        for (const message of messages) {
          await this.#queue.send(jobAgain(message.text), 0, call)
          await this.#dead.delete(message, call)
          sent++
        }
      }
    })
  }

  /** Closing the account of the queue with `drain` waits for the work. */
  #inSeries<Result>(work: (call: CallOptions) => Promise<Result>): Promise<Result> {
    return this.#queue.inSeries === undefined ? work({}) : this.#queue.inSeries(work)
  }

  async #deliver(
    message: QueueMessage,
    signal: AbortSignal | undefined,
    options: CallOptions,
  ): Promise<'done' | 'failed' | 'dead'> {
    const held = new HeldMessage(message, {
      queue: this.#queue,
      visibility: this.#visibility,
      options,
    })
    const { id, dequeueCount: attempt } = message
    if (attempt > this.#attempts) {
      // Each of the earlier deliveries ended with its worker.
      return this.#bury(message, 'No worker has finished the job.', held)
    }
    const stopped = new AbortController()
    const release = signal && passOn(signal, stopped)
    const delivery: JobDelivery = {
      id,
      attempt,
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

  async #handle({ text }: QueueMessage, delivery: JobDelivery): Promise<void> {
    const { kind, payload } = jobIn(text)
    const handler = this.#handlers.get(String(kind))
    if (handler === undefined)
      throw invalidPatternOption(`No handler for a job of the kind ${JSON.stringify(kind)}.`)
    await handler(payload as never, delivery) // as `send` took it
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
    const letter = JSON.stringify({ from: this.#queue.name, id, attempts, reason, job })
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

/** A job as its message holds it. */
interface StoredJob {
  readonly kind?: unknown
  readonly payload?: unknown
  /** In a dead letter: the text of the job. */
  readonly job?: unknown
}

/** Reads the job of a message; another program may have sent any text. */
function jobIn(text: string): StoredJob {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Returns the job of a dead letter. */
function jobAgain(letter: string): string {
  const { job } = jobIn(letter)
  return typeof job === 'string' ? job : letter
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
