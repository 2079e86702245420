import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { localTableService, seededRandom } from '@rowkey/local'
import {
  AmbiguousWriteError,
  type CallOptions,
  createTable,
  type EntitiesPage,
  type EntitiesQuery,
  type Operation,
  OperationContext,
  perform,
  queryEntities,
  sweepMarkers,
  type TableService,
  type Transport,
  tableService,
} from '@rowkey/rest'
import './load-parser.ts'
import { type Finding, findings, isExpected, judgeCall, type KnownLimit } from './call-judge.ts'
import { ServiceModel, stateOf } from './service-model.ts'
import {
  callKinds,
  deletedOf,
  isConditional,
  isKeyed,
  makeCall,
  type Operations,
  operations,
  type PlannedCall,
} from './simulated-calls.ts'
import { type NetworkFault, type Serve, SimulatedNetwork } from './simulated-network.ts'
import { VirtualTime } from './virtual-time.ts'

const HOUR = 3_600_000
const CLIENTS = 8
const ROWS = 12

/** What to simulate. */
export interface SimulationOptions {
  readonly seed: number
  /** How many calls the clients make in all. */
  readonly calls: number
  /** Operations that are broken on purpose. */
  readonly broken?: Partial<Operations>
  /** Breaks the service on purpose. */
  readonly around?: (serve: Serve) => Serve
  /** Breaks the transport of the clients on purpose. */
  readonly carry?: (transport: Transport) => Transport
}

/** What came of a simulation. */
export interface SimulationResult {
  /** The rules that were broken, with the calls that broke them. */
  readonly violations: ReadonlyMap<Finding, readonly string[]>
  /** How often documented limits showed. */
  readonly limits: ReadonlyMap<KnownLimit, number>
  /** How often each fault happened, with aborted calls and steps of clocks. */
  readonly fired: ReadonlyMap<NetworkFault | 'abort' | 'clock step' | 'deadline', number>
  /** How many calls succeeded, failed without effect, or ended in doubt. */
  readonly endings: ReadonlyMap<string, number>
  /** A digest of everything that happened, in order. */
  readonly trace: string
}

/** A call that has ended, until late requests have arrived. */
interface PendingJudgement {
  readonly name: string
  readonly planned: PlannedCall
  readonly isExact: boolean
  /** The request ids of its attempts: an exact write that fences its own marker begins again with a new one. */
  readonly ids: ReadonlySet<string>
  readonly error: unknown
  readonly deleted: boolean | undefined
  readonly appliedThen: number
}

/** One client, which is a machine of its own. */
interface Client {
  readonly service: TableService
  readonly isExact: boolean
  /** How wrong its clock is, in milliseconds. */
  offset: number
}

/** Runs clients against an embedded service, over a faulty network, in virtual time. */
export class Simulation {
  readonly #time = new VirtualTime()
  readonly #random: () => number
  readonly #model = new ServiceModel(() => this.#time.now())
  readonly #network: SimulatedNetwork
  readonly #clients: readonly Client[]
  readonly #operations: Operations
  readonly #carry: (transport: Transport) => Transport
  /** Reads the table without the network. */
  readonly #direct: TableService
  readonly #hash = createHash('sha256')
  readonly #ended: PendingJudgement[] = []
  readonly #violations = new Map<Finding, string[]>()
  readonly #limits = new Map<KnownLimit, number>()
  readonly #endings = new Map<string, number>()
  readonly #extraFaults = new Map<'abort' | 'clock step' | 'deadline', number>()
  #left: number
  #contents = 0

  constructor(options: SimulationOptions) {
    const { seed, calls, broken = {}, around = unchanged, carry = unchanged } = options
    this.#random = seededRandom(seed)
    this.#left = calls
    this.#operations = { ...operations, ...broken }
    this.#carry = carry
    let ids = 0
    const newId = () => `id-${++ids}`
    const local = localTableService({ now: this.#time.now, newId, requestLogSize: 1 })
    this.#network = new SimulatedNetwork({
      time: this.#time,
      random: this.#random,
      serve: around((request) => local.transport(request)),
      onServed: (request, response) => this.#model.serve(request, response),
      onEvent: (event) => this.#hash.update(`${event}\n`),
    })
    const { transport } = local
    this.#direct = tableService({
      ...{ connectionString: local.connectionString(), transport, now: this.#time.now },
    })
    this.#clients = Array.from({ length: CLIENTS }, (_, index) =>
      this.#client(local.connectionString(), index % 2 === 1, newId),
    )
  }

  /** Runs it: calls under faults, then late requests, then calls without faults. */
  async run(): Promise<SimulationResult> {
    const [first] = this.#clients
    this.#network.faultRate = 0
    await this.#time.run(perform(first!.service, createTable, { table: 'people' }))
    this.#network.faultRate = 0.3
    await this.#time.run(Promise.all(this.#clients.map((client) => this.#work(client))))
    if (this.#time.sleeping > 0) this.#violate('left behind', `${this.#time.sleeping} timers`)
    this.#network.faultRate = 0
    await this.#time.runOut()
    await this.#time.run(this.#judgeAll())
    await this.#time.run(this.#checkEnd())
    await this.#time.runOut()
    return {
      violations: this.#violations,
      limits: this.#limits,
      fired: new Map([...this.#network.fired, ...this.#extraFaults]),
      endings: this.#endings,
      trace: this.#hash.digest('hex'),
    }
  }

  #client(connectionString: string, isExact: boolean, newId: () => string): Client {
    const client: { offset: number } = { offset: 0 }
    const service = tableService({
      connectionString,
      transport: this.#carry(this.#network.transport),
      now: () => this.#time.now() + client.offset,
      random: this.#random,
      sleep: this.#time.sleep,
      newId,
      exactWrites: isExact,
    })
    return Object.assign(client, { service, isExact })
  }

  async #work(client: Client): Promise<void> {
    while (this.#left-- > 0) {
      await this.#time.sleep(Math.floor(this.#random() * 200))
      if (this.#random() < 0.01) this.#stepClock(client)
      await this.#makeCall(client)
    }
  }

  /** Sets the clock of a client wrong by up to an hour, or right again. */
  #stepClock(client: Client): void {
    client.offset = client.offset === 0 ? Math.floor((this.#random() - 0.5) * 2 * HOUR) : 0
    count(this.#extraFaults, 'clock step')
  }

  async #makeCall(client: Client): Promise<void> {
    const planned = await this.#plan(client)
    if (planned === undefined) return
    const context = new OperationContext()
    const options = this.#options(context)
    const began = this.#time.now()
    let error: unknown
    let output: unknown
    try {
      output = await makeCall(client.service, planned, options, this.#operations)
    } catch (thrown) {
      error = thrown ?? null
    }
    const { signal } = options
    const listeners = signal === undefined ? 0 : getEventListeners(signal, 'abort').length
    const ids = new Set(context.attempts.map(({ clientRequestId }) => clientRequestId))
    const name = `${planned.kind} of ${planned.row} by call ${[...ids][0]}`
    this.#hash.update(`${name} ended: ${Object(error).code ?? 'ok'}\n`)
    count(this.#endings, endingOf(error))
    if (listeners > 0) this.#violate('left behind', `${listeners} listeners of ${name}`)
    if (planned.kind === 'find') return this.#judgeRead({ name, error }, planned, output, began)
    const appliedThen = this.#model.appliedBy(ids)
    const deleted = deletedOf(output)
    const isExact = client.isExact || isKeyed(planned.kind)
    this.#ended.push({ name, planned, isExact, ids, error, deleted, appliedThen })
    if (isKeyed(planned.kind) && error === undefined) {
      await this.#repeat(client, { name, ids, deleted }, planned)
    }
  }

  /** Another client, or the same, repeats a call by its key. It learns the same, or it fails. */
  async #repeat(
    { service }: Client,
    call: {
      readonly name: string
      readonly ids: Set<string>
      readonly deleted: boolean | undefined
    },
    planned: PlannedCall,
  ): Promise<void> {
    await this.#time.sleep(Math.floor(this.#random() * 2_000))
    const context = new OperationContext()
    const output = await makeCall(service, planned, { context }, this.#operations).catch(() => {})
    for (const { clientRequestId } of context.attempts) call.ids.add(clientRequestId)
    if (output === undefined || deletedOf(output) === call.deleted) return
    this.#violate('changed outcome', `${call.name}: ${call.deleted}, then ${deletedOf(output)}`)
  }

  /** Chooses what to do; conditional writes read their row first. */
  async #plan({ service }: Client): Promise<PlannedCall | undefined> {
    const kind = callKinds[Math.floor(this.#random() * callKinds.length)]!
    const row = `r${Math.floor(this.#random() * ROWS)}`
    const content = kind === 'insert lock' ? 'lock' : `c${++this.#contents}`
    if (!isConditional(kind)) return { kind, row, content, etag: '*' }
    const key = { partitionKey: 'p', rowKey: row }
    const found = await perform(service, operations.find, { table: 'people', key }).catch(() => {})
    return found?.etag === undefined ? undefined : { kind, row, content, etag: found.etag }
  }

  #options(context: OperationContext): CallOptions {
    const chance = this.#random()
    if (chance < 0.05) {
      const controller = new AbortController()
      this.#time.after(this.#random() * 5_000, () => controller.abort('enough'))
      count(this.#extraFaults, 'abort')
      return { context, signal: controller.signal }
    }
    if (chance > 0.1) return { context }
    count(this.#extraFaults, 'deadline')
    return { context, deadline: 1 + Math.floor(this.#random() * 10_000) }
  }

  #judgeRead(
    call: { readonly name: string; readonly error: unknown },
    { row }: PlannedCall,
    output: unknown,
    began: number,
  ): void {
    if (call.error !== undefined) {
      if (!isExpected(call.error)) this.#violate('unexpected error', `${call.name}: ${call.error}`)
      return
    }
    const { raw }: { readonly raw?: Record<string, unknown> } = Object(output)
    const state = raw && stateOf(raw)
    if (this.#model.hadState(row, state, began, this.#time.now())) return
    this.#violate('impossible read', `${call.name} returned ${state}`)
  }

  /** Judges every write once nothing can arrive any more. */
  async #judgeAll(): Promise<void> {
    for (const { name, planned, isExact, ids, error, deleted, appliedThen } of this.#ended) {
      const resolved =
        error instanceof AmbiguousWriteError ? await error.resolve().catch(String) : undefined
      const applied = this.#model.appliedBy(ids)
      const { kind } = planned
      const isRepeated = [...ids].some((id) => this.#network.repeated.has(id))
      const facts = { kind, isExact, isRepeated, error, deleted }
      const call = { ...facts, appliedThen, applied, resolved }
      const found = judgeCall(call)
      if (found === undefined) continue
      const learned = `${isExact ? 'exact' : 'by content'}, ${String(error ?? deleted)}, resolved ${resolved}, applied ${appliedThen} then ${applied}`
      if (isFinding(found)) this.#violate(found, `${name}: ${learned}`)
      else count(this.#limits, found)
    }
  }

  /** Everything works again, nothing is left, and the table is what the applied writes make of it. */
  async #checkEnd(): Promise<void> {
    const [{ service }] = this.#clients as [Client]
    const rows = new Map<string, string>()
    let query: EntitiesQuery | undefined = { table: 'people' }
    while (query !== undefined) {
      const { entities, continuation }: EntitiesPage = await perform(service, queryEntities, query)
      for (const raw of entities) rows.set(String(raw.RowKey), stateOf(raw))
      query = continuation && { table: 'people', continuation }
    }
    const expected = this.#model.rows()
    const wrong = [...new Set([...rows.keys(), ...expected.keys()])].filter(
      (row) => rows.get(row) !== expected.get(row),
    )
    if (wrong.length > 0) this.#violate('wrong table', `rows ${wrong.join(', ')}`)
    await this.#checkLiveness()
  }

  async #checkLiveness(): Promise<void> {
    for (const { service } of this.#clients) {
      const key = { partitionKey: 'p', rowKey: 'end' }
      const body = JSON.stringify({ PartitionKey: 'p', RowKey: 'end' })
      await perform(service, operations.insertOrReplace, { table: 'people', key, body }).catch(
        (error: unknown) => this.#violate('not finished', String(error)),
      )
    }
    await this.#time.sleep(25 * HOUR)
    const { service } = this.#clients[0]!
    await sweepMarkers(service, 'people')
    const filter = "RowKey ge '~rk~op~' and RowKey lt '~rk~oq'"
    const markers = await perform(this.#direct, countRows, { table: 'people', filter })
    if (markers > 0) this.#violate('left behind', `${markers} markers`)
  }

  #violate(finding: Finding, what: string): void {
    const found = this.#violations.get(finding) ?? []
    found.push(what)
    this.#violations.set(finding, found)
  }
}

/** Queries do not show markers, so this one counts what the service returns. */
const countRows: Operation<EntitiesQuery, number> = {
  name: queryEntities.name,
  toRequest: queryEntities.toRequest,
  fromResponse: ({ body }) => JSON.parse(body).value.length,
}

const unchanged = <Part>(part: Part): Part => part

function isFinding(found: string): found is Finding {
  return Object.hasOwn(findings, found)
}

function endingOf(error: unknown): string {
  if (error === undefined) return 'succeeded'
  const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
  if (error instanceof AmbiguousWriteError) return 'ambiguous'
  return mayHaveApplied === true ? 'ended in doubt' : 'failed without effect'
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
