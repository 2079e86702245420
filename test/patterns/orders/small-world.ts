import type { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import {
  AmbiguousWriteError,
  type EntitiesQuery,
  exponentialRetry,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Operation,
  perform,
  queryEntities,
  type Sleep,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import '../../rest/simulation/load-parser.ts'
import { drained, loaded } from '../../rest/simulation/virtual-time.ts'
import { normalText } from './normal-text.ts'

/** How a call of a client ended. */
export type Ending =
  | { readonly kind: 'returned'; readonly value: unknown }
  /** It had no effect, and will have none. */
  | { readonly kind: 'failed'; readonly code: string }
  /** Its client cannot know whether it had an effect. */
  | { readonly kind: 'in doubt' }

/** One call of a client, between two moments of the run. */
export interface MadeCall {
  readonly client: string
  /** As a program writes it. */
  readonly words: string
  /** When its first request was served; a call that sends nothing has no time between its ends. */
  readonly began: number
  readonly ended: number
  readonly ending: Ending
}

/** What one client can do. */
export interface Client {
  readonly account: Account
  /**
   * Makes a call, and remembers how it ended. What is in doubt is resolved, as far as it can be.
   *
   * @returns what the call returned; `undefined` when it failed or is in doubt
   */
  call<Result>(words: string, act: () => Promise<Result>): Promise<Result | undefined>
}

/** What a client has: its name, its way to a service, and how it waits. */
export interface Means {
  readonly name: string
  readonly serve: Transport
  readonly sleep: Sleep
}

/** Puts a bug into what a client has. */
export type Bug = (means: Means) => Partial<Means>

/** What bounds the runs of a world. */
export interface Bounds {
  /** How many faults a run has at most. */
  readonly faults: number
  /** How often half a minute passes while clients are in the middle of a call. */
  readonly passes: number
  /** The client that may die in the middle of a call; none when absent. */
  readonly mortal?: string | undefined
}

/** The parts of a {@link SmallWorld}. */
export interface WorldParts extends Bounds {
  readonly service: ReturnType<typeof localTableService>
  readonly tables: readonly string[]
  readonly exactWrites: boolean
  /** The programs of the clients, by their names. */
  readonly programs: Readonly<Record<string, (client: Client) => Promise<void>>>
  readonly bug?: Bug | undefined
}

/** A step that may come next. */
export interface Step {
  words(): string
  take(): Promise<void> | void
}

interface OpenCall {
  readonly words: string
  began: number | undefined
  /** Whether it has waited for other clients: nothing bounds how long it takes. */
  isLong: boolean
}

/** A client, and what decides what it does next. */
interface Process extends Means {
  /** What it has seen since its call began. */
  view: readonly { readonly request: string; readonly answer: string }[]
  call: OpenCall | undefined
  hasCalled: boolean
  isDone: boolean
}

interface Sent {
  readonly process: Process
  readonly request: HttpRequest
}

interface Waiting extends Sent {
  readonly answer: (response: HttpResponse) => void
  readonly fail: (error: unknown) => void
}

/** A wait that a step ends. */
interface Nap {
  readonly process: Process
  readonly delay: number
  readonly wake: () => void
  /** When it is over at the earliest. */
  readonly endsAt: number
  /** What must have ended before the next half of the wait is over. */
  blockers: ReadonlySet<unknown>
  halvesLeft: number
}

/** Milliseconds since 1970, UTC. */
export const START: number = Date.UTC(2026, 10, 20, 12)
/** How many milliseconds pass in one step: a message that was received is visible again. */
const PASSING = 31_000
/** Shorter waits are those between attempts, which decide nothing. */
const SHORT_WAIT = 1_000
/** A wait of so many milliseconds outlasts what other clients have begun, such as that for the lease of a catalogue. */
export const LONG_WAIT = 5_000
/** How often a settling world looks at its clients, and at how many turns of the process first. */
const PATIENCE = 2_000
const TURNS = 50

/** The clients of a run, and a network between them and the service, which does one step at a time. */
export class SmallWorld {
  /** Which calls were made, in the order in which they ended. */
  readonly calls: MadeCall[] = []
  /** An account without faults and bugs, whose waits move the clock. */
  readonly direct: Account
  /** What was done so far, as a program. */
  readonly told: (() => string)[] = []
  readonly #parts: WorldParts
  readonly #processes: readonly Process[]
  #waiting: Waiting[] = []
  #late: Sent[] = []
  #naps: Nap[] = []
  /** The client of the last step: most runs go on with it. */
  #last: Process | undefined
  #rows: string | undefined
  #moment = 0
  #now = START
  #faults: number
  #passes: number
  #mortal: string | undefined

  constructor(parts: WorldParts) {
    const { service, programs, bug } = parts
    this.#parts = parts
    this.#faults = parts.faults
    this.#passes = parts.passes
    this.#mortal = parts.mortal
    this.#processes = Object.keys(programs).map((name) => {
      const sleep: Sleep = (delay) => this.#nap(process, delay)
      const means = { name, serve: service.transport, sleep }
      const process: Process = {
        ...{ ...means, ...bug?.(means) },
        ...{ view: [], call: undefined, hasCalled: false, isDone: false },
      }
      return process
    })
    this.direct = this.#open('Z', service.transport, async (delay) => {
      this.#now += delay
    })
    for (const process of this.#processes) void this.#run(process, programs[process.name])
  }

  /** Waits until each client has ended, or waits for something that a step brings. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < PATIENCE; turns++) {
      // A module that is loaded for the first time takes longer than any turn.
      await (turns < TURNS ? drained() : loaded())
      const waiting = new Set([...this.#waiting, ...this.#naps].map(({ process }) => process))
      if (this.#processes.every((each) => each.isDone || waiting.has(each))) return
    }
    throw new Error(`A client waits for what no step brings:\n${this.story()}`)
  }

  /** Ends the clients, whatever they wait for. */
  async end(): Promise<void> {
    while (!this.#processes.every(({ isDone }) => isDone)) {
      for (const { request, fail } of this.#waiting.splice(0)) fail(lostError(request))
      for (const { wake } of this.#naps.splice(0)) wake()
      await drained()
    }
  }

  /** The steps that may come next; none when all clients have ended and no request is late. The first one goes on with the last client. */
  steps(): readonly Step[] {
    const others = this.#processes.filter((each) => each !== this.#last)
    const naps = this.#naps.filter((nap) => !this.#isBlocked(nap))
    const steps = [...(this.#last ? [this.#last] : []), ...others].flatMap((process) => [
      ...this.#waiting.filter((each) => each.process === process).map((each) => this.#served(each)),
      ...naps.filter((nap) => nap.process === process).map((nap) => this.#slept(nap)),
    ])
    steps.push(...this.#late.map((late) => this.#arrival(late)))
    if (this.#faults > 0) steps.push(...this.#waiting.flatMap((each) => this.#faultsOf(each)))
    steps.push(...this.#deaths())
    if (this.#passes > 0 && this.#waiting.length > 0) steps.push(this.#passing())
    return steps
  }

  /** All that decides what can still happen, but for the faults that are left. */
  async state(): Promise<{ readonly text: string; readonly faultsLeft: number }> {
    this.#rows ??= await this.#readRows()
    const processes = this.#processes.map((process) => {
      const waiting = this.#waiting.filter((each) => each.process === process)
      const naps = this.#naps.filter((nap) => nap.process === process)
      const awaited = [...waiting.map(({ request }) => textOf(request)), ...naps.map(napText)]
      return `${process.name} ${JSON.stringify(process.view)} ${awaited.join(' ')}`
    })
    const late = this.#late.map(({ process, request }) => `${process.name} ${textOf(request)}`)
    const calls = this.calls.map((call) => `${call.client} ${call.words} ${endingText(call)}`)
    const rest = [...late.sort(), ...calls.sort(), this.#now - START, this.#passes, this.#mortal]
    const text = normalText([this.#rows, ...processes, ...rest].join('\n'))
    return { text, faultsLeft: this.#faults }
  }

  /** What was done so far, as a program. */
  story(): string {
    return this.told.map((tell) => tell()).join('\n')
  }

  async #run(process: Process, program: (client: Client) => Promise<void> = async () => {}) {
    const account = this.#open(
      process.name,
      (request) =>
        new Promise((answer, fail) => {
          this.#waiting.push({ process, request, answer, fail })
        }),
      process.sleep,
    )
    const call: Client['call'] = (words, act) => this.#call(process, words, act)
    await program({ account, call }).catch((error: unknown) => {
      this.told.push(() => `${process.name} throws ${String(error)}`)
    })
    process.isDone = true
  }

  #open(name: string, transport: Transport, sleep: Sleep): Account {
    let ids = 0
    return new Account(
      tableService({
        ...{ connectionString: this.#parts.service.connectionString(), transport, sleep },
        ...{ exactWrites: this.#parts.exactWrites, retryBudget: false },
        retry: exponentialRetry({ attempts: 3 }),
        ...{ now: () => this.#now, random: () => 0.5, newId: () => `id-${name}${++ids}` },
      }),
    )
  }

  async #call<Result>(
    process: Process,
    words: string,
    act: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const call: OpenCall = { words, began: undefined, isLong: false }
    process.call = call
    let result: Result | undefined
    let ending: Ending
    try {
      result = await act()
      ending = { kind: 'returned', value: result }
    } catch (error) {
      ending = await this.#endingOf(error)
    }
    const { began = this.#moment } = call
    const made = { client: process.name, words, began, ended: this.#moment, ending }
    this.calls.push(made)
    this.told.push(() => `${process.name}: ${words} // ${endingText(made)}`)
    Object.assign(process, { call: undefined, view: [], hasCalled: true })
    return result
  }

  async #endingOf(error: unknown): Promise<Ending> {
    const { code, mayHaveApplied }: { code?: string; mayHaveApplied?: boolean } = Object(error)
    // Without a marker, a late request can be applied after the answer of resolve().
    if (error instanceof AmbiguousWriteError && this.#parts.exactWrites) {
      const resolved = await error.resolve().catch(() => 'unknown' as const)
      if (resolved === 'applied') return { kind: 'returned', value: 'applied, says resolve()' }
      if (resolved === 'not applied') return { kind: 'failed', code: 'not applied, says resolve()' }
    }
    if (mayHaveApplied === true) return { kind: 'in doubt' }
    return { kind: 'failed', code: code ?? String(error) }
  }

  #nap(process: Process, delay: number): Promise<void> {
    if (delay < SHORT_WAIT) return Promise.resolve()
    if (process.call !== undefined) process.call.isLong = true
    return new Promise((wake) => {
      const halvesLeft = delay < LONG_WAIT ? 1 : 2
      const endsAt = this.#now + delay
      const blockers = this.#blockersOf(process)
      this.#naps.push({ process, delay, wake, endsAt, blockers, halvesLeft })
    })
  }

  /** What began before a wait: calls of other clients, and requests that are not answered, or late. */
  #blockersOf(process: Process): ReadonlySet<unknown> {
    const others = this.#processes.filter((each) => each !== process)
    const calls = others
      .filter(({ call, hasCalled }) => hasCalled || call?.began !== undefined)
      .flatMap(({ call }) => (call === undefined || call.isLong ? [] : call))
    return new Set<unknown>([...calls, ...this.#requestsOf(others), ...this.#late])
  }

  #requestsOf(processes: readonly Process[]): readonly Waiting[] {
    return this.#waiting.filter(
      ({ process }) => process.call?.began !== undefined && processes.includes(process),
    )
  }

  #isBlocked({ process, delay, endsAt, blockers }: Nap): boolean {
    if (delay >= LONG_WAIT) {
      const isOpen = ({ call }: Process) => call?.isLong === false && blockers.has(call)
      const pending = [...this.#late, ...this.#waiting]
      return this.#processes.some(isOpen) || pending.some((each) => blockers.has(each))
    }
    // No answer takes as long, unless time passes meanwhile.
    const others = this.#processes.filter((each) => each !== process)
    const isEarlier = (nap: Nap) => nap.process !== process && nap.endsAt < endsAt
    const isEarly = this.#requestsOf(others).length > 0 || this.#naps.some(isEarlier)
    return this.#now < endsAt && isEarly
  }

  #slept(nap: Nap): Step {
    const { process, delay, endsAt, wake } = nap
    return {
      words: () => `${nap.halvesLeft > 1 ? 'half of a' : 'a'} wait of ${process.name} is over`,
      take: () => {
        this.#last = process
        this.#moment++
        nap.halvesLeft--
        this.#now = Math.max(this.#now, endsAt - (nap.halvesLeft * delay) / 2)
        nap.blockers = this.#blockersOf(process)
        if (nap.halvesLeft > 0) return
        this.#naps = this.#naps.filter((each) => each !== nap)
        wake()
      },
    }
  }

  #served(waiting: Waiting): Step {
    return {
      words: () => `the service answers ${wordsOf(waiting)}`,
      take: () => this.#deliver(waiting, () => this.#serve(waiting)),
    }
  }

  #faultsOf(waiting: Waiting): readonly Step[] {
    const lose = () => this.#deliver(waiting, () => Promise.reject(lostError(waiting.request)))
    const lost: Step = {
      words: () => `${wordsOf(waiting)} is lost`,
      take: lose,
    }
    const late: Step = {
      words: () => `${wordsOf(waiting)} is late, and its client hears nothing`,
      take: () => {
        this.#late.push(waiting)
        return lose()
      },
    }
    // Without a marker, no client can understand the second answer.
    const answer = this.#parts.exactWrites ? 'second' : 'first'
    const doubled: Step = {
      words: () => `a proxy sends ${wordsOf(waiting)} twice, and returns the ${answer} answer`,
      take: () =>
        this.#deliver(waiting, async () => {
          const answers = { first: await this.#serve(waiting), second: await this.#serve(waiting) }
          return answers[answer]
        }),
    }
    const faults = isRead(waiting.request) ? [lost] : [lost, late, doubled]
    return faults.map(({ words, take }) => ({
      words,
      take: () => {
        this.#faults--
        return take()
      },
    }))
  }

  /** The steps in which the mortal client dies: in a wait, or before or after its requests are on their way. */
  #deaths(): readonly Step[] {
    const process = this.#processes.find(({ name }) => name === this.#mortal)
    const requests = this.#waiting.filter((each) => each.process === process)
    const isAsleep = this.#naps.some((nap) => nap.process === process)
    if (process === undefined || (requests.length === 0 && !isAsleep)) return []
    const die = (late: readonly Sent[]) => () => {
      this.#moment++
      this.#mortal = undefined
      this.#late.push(...late)
      this.#waiting = this.#waiting.filter((each) => each.process !== process)
      this.#naps = this.#naps.filter((nap) => nap.process !== process)
      Object.assign(process, { call: undefined, view: [], isDone: true })
    }
    const { name } = process
    const writes = requests.filter(({ request }) => !isRead(request))
    const before: Step = { words: () => `${name} dies`, take: die([]) }
    const sent = writes.map((each) => wordsOf(each)).join(' and ')
    const after: Step = { words: () => `${name} dies, and ${sent} is late`, take: die(writes) }
    return writes.length > 0 ? [before, after] : [before]
  }

  /** A response that was lost is a request that was late, and arrived at once. */
  #arrival(late: Sent): Step {
    return {
      words: () => `${wordsOf(late)} arrives at last`,
      take: async () => {
        this.#late = this.#late.filter((each) => each !== late)
        this.#moment++
        await this.#serve(late)
      },
    }
  }

  #passing(): Step {
    return {
      words: () => `${PASSING / 1_000} seconds pass`,
      take: () => {
        this.#passes--
        this.#moment++
        this.#now += PASSING
      },
    }
  }

  async #serve({ process, request }: Sent): Promise<HttpResponse> {
    const response = await process.serve(request)
    if (!isRead(request)) this.#rows = undefined
    return response
  }

  async #deliver(waiting: Waiting, act: () => Promise<HttpResponse>): Promise<void> {
    const { process, request } = waiting
    this.#last = process
    this.#moment++
    if (process.call !== undefined) process.call.began ??= this.#moment
    this.#waiting = this.#waiting.filter((each) => each !== waiting)
    try {
      const response = await act()
      const { status, headers, body } = response
      see(process, request, `${status} ${headers.etag ?? ''} ${body}`)
      waiting.answer(response)
    } catch (error) {
      see(process, request, LOST)
      waiting.fail(error)
    }
  }

  async #readRows(): Promise<string> {
    const texts: string[] = []
    for (const table of this.#parts.tables) {
      texts.push(table, await perform(this.direct.service, rowsWithMarkers, { table }))
    }
    return texts.join('\n')
  }
}

/** Queries do not show markers, so this one returns all rows as the service prints them. */
const rowsWithMarkers: Operation<EntitiesQuery, string> = {
  name: queryEntities.name,
  toRequest: queryEntities.toRequest,
  fromResponse: ({ body }) => body,
}

const LOST = 'lost'

/** Remembers an answer. To a read it is the same, whether the read was repeated or not. */
function see(process: Process, request: HttpRequest, answer: string): void {
  const text = textOf(request)
  const isRepeated = isRead(request) && answer !== LOST
  const kept = process.view.filter(
    (seen) => !isRepeated || seen.request !== text || seen.answer !== LOST,
  )
  process.view = [...kept, { request: text, answer }]
}

function textOf({ method, path, query, headers, body = '' }: HttpRequest): string {
  return `${method} ${path}?${query} ${headers['if-match'] ?? ''} ${body}`
}

function napText({ delay, endsAt, halvesLeft }: Nap): string {
  return `waits ${delay} ${endsAt - START} ${halvesLeft}`
}

/** The changes of a transaction. */
const PARTS = /^(POST|PUT|PATCH|DELETE) \S*?\/([^/\s]+) HTTP/gm

function wordsOf({ process, request }: Sent): string {
  const path = decodeURIComponent(request.path.split('/').slice(2).join('/'))
  const parts = Array.from(
    (request.body ?? '').matchAll(PARTS),
    ([, verb, place = '']) => `${verb} ${decodeURIComponent(place)}`,
  )
  return `${process.name}'s ${parts.length === 0 ? `${request.method} ${path}` : parts.join(' + ')}`
}

/** How a call ended, in words. */
export function endingText({ ending }: Pick<MadeCall, 'ending'>): string {
  switch (ending.kind) {
    case 'returned':
      return `returns ${JSON.stringify(ending.value) ?? 'nothing'}`
    case 'failed':
      return `fails: ${ending.code}`
    case 'in doubt':
      return 'is in doubt'
  }
}

function lostError(request: HttpRequest): TransportError {
  return new TransportError({ message: 'Lost.', mayHaveApplied: !isRead(request) })
}
