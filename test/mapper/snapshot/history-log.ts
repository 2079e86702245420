import {
  type InjectedFault,
  type LocalSnapshot,
  type LocalTableService,
  localTableService,
  type ManualClock,
  seededRandom,
} from '@rowkey/local'
import {
  type AttemptLimits,
  findEntity,
  type HttpRequest,
  type HttpResponse,
  noRetry,
  perform,
  type TableService,
  type Transport,
  tableService,
} from '@rowkey/rest'
import {
  changesIn,
  outcomesIn,
  propertiesOf,
  rowAfter,
  type SentChange,
  type StoredRow,
} from './history-rows.ts'

/** A change that was stored, with the row before and after it. */
export interface StoredChange {
  readonly change: SentChange
  readonly place: string
  readonly before: StoredRow | undefined
  readonly after: StoredRow | undefined
}

/** What one request asked, and what the service had stored before. */
export interface Delivery {
  readonly changes: readonly SentChange[]
  readonly before: readonly (StoredRow | undefined)[]
  readonly stored: readonly StoredChange[]
}

/** Names a row: account, table, PartitionKey and RowKey. */
export function placeOf(account: string, table: string, key: readonly string[]): string {
  return [account, table, ...key].join('/')
}

/**
 * An embedded service with a model of all its rows. The model is made from requests and their responses alone.
 * After a lost response, the row is read directly from the service.
 */
export class ServiceLog {
  readonly account: string
  readonly local: LocalTableService
  /** Calls the service directly: as a rival, and to read rows. */
  readonly direct: TableService
  /** Receives each request when its outcome is known. */
  onDelivery: (delivery: Delivery) => void = () => {}
  readonly #rows = new Map<string, StoredRow>()
  #empty: LocalSnapshot | undefined

  constructor(account: string, clock: ManualClock) {
    this.account = account
    const options = {
      now: clock.now,
      pause: clock.sleep,
      random: seededRandom(1),
      requestLogSize: 0,
    }
    this.local = localTableService({ ...options, newId: idsFrom(1) })
    this.direct = this.client(
      this.#recorded(() => undefined),
      clock,
    )
  }

  /** A client of the service through a transport. */
  client(transport: Transport, clock: ManualClock): TableService {
    return tableService({
      connectionString: this.local.connectionString(),
      transport,
      retry: noRetry,
      now: clock.now,
      sleep: clock.sleep,
      random: seededRandom(2),
      newId: idsFrom(2),
      retryBudget: false,
    })
  }

  /** What is stored in a place now. */
  row(place: string): StoredRow | undefined {
    return this.#rows.get(place)
  }

  /** The places of the stored rows of a table. */
  places(table: string): string[] {
    const beginning = placeOf(this.account, table, [''])
    return [...this.#rows.keys()].filter((place) => place.startsWith(beginning))
  }

  /** Forgets all rows; the tables stay. */
  async clear(): Promise<void> {
    this.#empty ??= await this.local.snapshot()
    await this.local.restore(this.#empty)
    this.local.faults.clear()
    this.#rows.clear()
  }

  /** Hands a request to the service, with a fault that it meets there. */
  async deliver(
    request: HttpRequest,
    limits: AttemptLimits | undefined,
    fault: InjectedFault | undefined,
  ): Promise<HttpResponse> {
    const changes = changesIn(request)
    if (changes.length === 0) return this.local.transport(request, limits)
    const before = changes.map((change) => this.#rows.get(this.#placeOf(change)))
    const rule = fault && this.local.faults.add({ fault, times: 1 })
    let response: HttpResponse | undefined
    try {
      response = await this.local.transport(request, limits)
      return response
    } finally {
      rule?.remove()
      const isTold = response !== undefined && fault === undefined && response.status < 500
      const stored = isTold
        ? this.#told(changes, response as HttpResponse)
        : await this.#readAgain(changes)
      this.onDelivery({ changes, before, stored })
    }
  }

  #recorded(fault: () => InjectedFault | undefined): Transport {
    return (request, limits) => this.deliver(request, limits, fault())
  }

  #placeOf({ table, partitionKey, rowKey }: SentChange): string {
    return placeOf(this.account, table, [partitionKey, rowKey])
  }

  #told(changes: readonly SentChange[], response: HttpResponse): StoredChange[] {
    const outcomes = outcomesIn(response, changes.length)
    return changes.flatMap((change, index) => {
      const { status, etag } = outcomes[index] ?? { status: 0, etag: undefined }
      const before = this.#rows.get(this.#placeOf(change))
      this.#checkStatus(change, before, status)
      if (status >= 300) return []
      return [this.#store(change, rowAfter(before, change, etag ?? ''))]
    })
  }

  /** The service and this model of it must agree on what was refused. */
  #checkStatus(change: SentChange, before: StoredRow | undefined, status: number): void {
    const { kind, condition } = change
    const isMissing = before === undefined && (kind === 'delete' || condition !== undefined)
    const isOther = condition !== undefined && condition !== '*' && condition !== before?.etag
    const expected = isMissing || isOther || (kind === 'insert' && before !== undefined)
    if (status < 300 && expected) {
      throw new Error(
        `the model of the service is wrong: ${kind} of ${this.#placeOf(change)} gave ${status}`,
      )
    }
  }

  async #readAgain(changes: readonly SentChange[]): Promise<StoredChange[]> {
    const stored: StoredChange[] = []
    for (const change of changes) {
      const found = await this.#stored(change)
      if (found?.etag !== this.#rows.get(this.#placeOf(change))?.etag)
        stored.push(this.#store(change, found))
    }
    return stored
  }

  async #stored({ table, ...key }: SentChange): Promise<StoredRow | undefined> {
    const found = await perform(this.direct, findEntity, { table, key }, {})
    return found && { etag: found.etag ?? '', properties: propertiesOf(found.raw) }
  }

  #store(change: SentChange, after: StoredRow | undefined): StoredChange {
    const place = this.#placeOf(change)
    const before = this.#rows.get(place)
    if (after === undefined) this.#rows.delete(place)
    else this.#rows.set(place, after)
    return { change, place, before, after }
  }

  /** Compares every row of a table with what the service has. */
  async check(table: string): Promise<void> {
    for (const place of this.places(table)) {
      const [, , partitionKey = '', rowKey = ''] = place.split('/')
      const key = { partitionKey, rowKey }
      const found = await perform(this.direct, findEntity, { table, key }, {})
      const model = this.#rows.get(place)
      const texts = (properties: Iterable<[string, string]>) => [...properties].sort().join('\n')
      const isSame =
        found !== undefined &&
        found.etag === model?.etag &&
        texts(propertiesOf(found.raw)) === texts(model?.properties ?? [])
      if (!isSame) throw new Error(`the model of the service is wrong about ${place}`)
    }
  }
}

/** Many ids in the form of UUIDs. */
function idsFrom(first: number): () => string {
  let count = 0
  return () => `0000000${first}-0000-4000-8000-${(++count).toString(16).padStart(12, '0')}`
}
