import type { Account } from '@rowkey/mapper'
import { aFunction, brand, type Rule, required, rule, wholeNumber } from '@rowkey/odata'
import type { CallOptions, Sleep, TableService } from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aCount, anAccount, aRecord, LONGEST } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import type { Handler } from './delivery.ts'
import { checkQueue, type Queue } from './queue.ts'
import { Worker } from './worker.ts'

/** The parts of a {@link worker}. */
export interface WorkerOptions<Jobs extends object> {
  /** Opens the queue that carries the jobs of an account; called once for each account. */
  readonly queue: (account: Account) => Queue
  /** Opens the queue that receives jobs that failed in every attempt, with the reason; called once for each account. */
  readonly deadLetters: (account: Account) => Queue
  /**
   * Does the jobs that the program sends itself, by the names of their kinds.
   *
   * @defaultValue no handlers: the worker serves what is declared with it
   */
  readonly handlers?: { readonly [Kind in keyof Jobs]: Handler<Jobs[Kind]> } | undefined
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
   * Waits between two renewals of a job in hand.
   *
   * @defaultValue a timer of this machine
   */
  readonly renewal?: Sleep | undefined
}

const workerOptions = declarePattern<WorkerOptions<object>>({
  queue: required(aFunction),
  deadLetters: required(aFunction),
  handlers: aRecord,
  attempts: aCount,
  visibility: wholeNumber(1, LONGEST),
  concurrency: wholeNumber(1, 32),
  renewal: aFunction,
})

/**
 * Declares a worker, which does everything that happens later: the jobs that the program sends, the messages of an outbox, and what
 * indexes and copies in other partitions must follow. Declare it next to the models, give it to what you declare with it, and
 * {@link Worker.run} it in each program that works.
 *
 * Each job is done at least once. It gives consistency across partitions, tables and other stores in the end: a job is a list of
 * idempotent steps, and is delivered until all of them succeeded. Readers may see the stores between two steps, because jobs have no
 * isolation.
 *
 * @param options - the queues, and the handlers of jobs
 *
 * @example
 * ```ts
 * const work = worker({
 *   queue: (account) => tableQueue(account, 'jobs', { table: 'queues' }),
 *   deadLetters: (account) => tableQueue(account, 'dead-jobs', { table: 'queues' }),
 *   handlers: { welcome: async ({ email }: { email: string }) => send(email) },
 * })
 * await work.on(account).send('welcome', { email: 'jones@contoso.com' })
 * await work.on(account).run(signal) // in each worker
 * ```
 */
export function worker<Jobs extends object = object>(options: WorkerOptions<Jobs>): Work<Jobs> {
  return new Work(options)
}

/** The rule of a worker that something is declared with. */
export const aWorker: Rule = rule(
  'a worker that worker(…) returned',
  (value) => value instanceof Work,
)

/** The queues of one account. */
interface Queues {
  readonly queue: Queue
  readonly dead: Queue
}

/** What a worker does, from {@link worker}. */
export class Work<Jobs extends object> {
  static {
    brand(Work, 'rowkey.work')
  }

  readonly #options: WorkerOptions<Jobs>
  readonly #handlers: Map<string, Handler<never>>
  readonly #queues = new WeakMap<TableService, Queues>()
  /** The account of each queue: what is sent to it is about rows of that account. */
  readonly #owners = new Map<unknown, string>()

  /** @internal */
  constructor(options: WorkerOptions<Jobs>) {
    workerOptions.check(options, 'worker')
    this.#options = options
    this.#handlers = new Map(Object.entries<Handler<never>>(options.handlers ?? {}))
    for (const [kind, handler] of this.#handlers) {
      checkArgument(aFunction, handler, `The handler '${kind}' of a worker`)
      if (kind.startsWith('~')) throw reservedKind(kind)
    }
  }

  /**
   * Opens the worker on one account. Nothing is sent.
   *
   * @param account - the account of the rows and of the queue
   */
  on(account: Account): Worker<Jobs> {
    checkArgument(anAccount, account, 'on of a worker')
    const { queue, dead } = this.#open(account)
    return new Worker({ ...this.#options, account, queue, dead, handlers: this.#handlers })
  }

  /**
   * Adds the handler of what is declared with the worker.
   *
   * @internal
   */
  serve<Payload>(kind: string, handler: Handler<Payload>): void {
    if (this.#handlers.has(kind))
      throw invalidPatternOption(
        `A worker serves '${kind}' already: the same is declared twice. Declare it once, or give each declaration a worker of its own.`,
      )
    this.#handlers.set(kind, handler)
  }

  /**
   * Sends a job of what is declared with the worker.
   *
   * @internal
   */
  async announce(
    account: Account,
    kind: string,
    payload: object,
    delay: number,
    options: CallOptions,
  ): Promise<void> {
    await this.#open(account).queue.send(JSON.stringify({ kind, payload }), delay, options)
  }

  #open(account: Account): Queues {
    const { service } = account
    const known = this.#queues.get(service)
    if (known !== undefined) return known
    const [queue, dead] = [this.#options.queue(account), this.#options.deadLetters(account)]
    checkQueue(queue, 'queue of a worker')
    checkQueue(dead, 'deadLetters of a worker')
    if (placeOf(queue) === placeOf(dead)) {
      throw invalidPatternOption(
        'deadLetters of a worker must be another queue: its jobs are never tried again.',
      )
    }
    const owner = this.#owners.get(placeOf(queue)) ?? service.endpoint.account
    if (owner !== service.endpoint.account) throw sharedQueue(queue, owner, account)
    this.#owners.set(placeOf(queue), owner)
    const opened = { queue, dead }
    this.#queues.set(service, opened)
    return opened
  }
}

function placeOf(queue: Queue): unknown {
  return queue.place ?? queue
}

function reservedKind(kind: string): Error {
  return invalidPatternOption(
    `The kind '${kind}' of a worker must not begin with ~, which marks the jobs of declarations. Choose another name.`,
  )
}

function sharedQueue({ name }: Queue, owner: string, { service }: Account): Error {
  return invalidPatternOption(
    `The queue ${name} carries the jobs of the account ${owner}, and a worker opened it for the account ${service.endpoint.account}, too. Return another queue for each account.`,
  )
}
