import {
  compareKeys,
  constant,
  DynamicEntity,
  type EntityKey,
  EntityProperty,
  evaluateFilter,
  parseFilter,
} from '@rowkey/odata'
import type {
  CompiledQuery,
  ConcurrencyLevel,
  PageRequest,
  QueryOptions,
  QueryPage,
  RawQuerySource,
} from '@rowkey/query'

/** One request to a {@link TableSource}: the text of a filter, or a key. */
export interface Question {
  readonly asked: string
  readonly options: QueryOptions
}

/** How a {@link TableSource} responds. */
export interface TableSourceHabits {
  /** The most rows in one page. */
  readonly pageSize?: number
  /** Whether the rows come in the opposite order of their keys. */
  readonly isUnsorted?: boolean
  /** How many requests may be pending at once. */
  readonly level?: ConcurrencyLevel
  /** Called before each response, which waits for it. */
  readonly before?: (asked: string) => Promise<void> | void
}

/** A source that evaluates the texts of filters, and records how many requests were pending at once. */
export class TableSource implements RawQuerySource<DynamicEntity, QueryOptions, DynamicEntity> {
  readonly questions: Question[] = []
  /** How many requests at most were pending at once. */
  most = 0
  readonly isUnsorted: boolean
  readonly level: ConcurrencyLevel | undefined
  #pending = 0
  readonly #entities: readonly DynamicEntity[]
  readonly #habits: TableSourceHabits

  constructor(entities: readonly DynamicEntity[], habits: TableSourceHabits = {}) {
    this.isUnsorted = habits.isUnsorted === true
    this.level = habits.level
    const sorted = entities.toSorted(compareKeys)
    this.#entities = this.isUnsorted ? sorted.toReversed() : sorted
    this.#habits = habits
  }

  get asked(): readonly string[] {
    return this.questions.map(({ asked }) => asked)
  }

  async fetchPage(
    { filter = '', top = 1000 }: CompiledQuery,
    { continuationToken }: PageRequest,
    options: QueryOptions,
  ): Promise<QueryPage<DynamicEntity>> {
    await this.#ask(filter, options)
    const node = parseFilter(filter) ?? constant(true)
    const start = Number(continuationToken ?? 0)
    const size = Math.min(top, this.#habits.pageSize ?? 1000)
    const found = this.#entities.filter((row) => evaluateFilter(node, (name) => lookUp(row, name)))
    const items = found.slice(start, start + size)
    if (start + size >= found.length) return { items }
    return { items, continuationToken: String(start + size) }
  }

  async findRow(
    key: EntityKey,
    _query: CompiledQuery,
    options: QueryOptions,
  ): Promise<DynamicEntity | undefined> {
    await this.#ask(`${key.partitionKey}/${key.rowKey}`, options)
    return this.#entities.find((row) => compareKeys(row, key) === 0)
  }

  readRow(row: DynamicEntity): DynamicEntity {
    return row
  }

  keyOf({ partitionKey, rowKey }: DynamicEntity): EntityKey {
    return { partitionKey, rowKey }
  }

  entityOf(row: DynamicEntity): DynamicEntity {
    return row
  }

  async #ask(asked: string, options: QueryOptions): Promise<void> {
    options.signal?.throwIfAborted()
    this.questions.push({ asked, options })
    this.#pending++
    this.most = Math.max(this.most, this.#pending)
    try {
      await this.#habits.before?.(asked)
    } finally {
      this.#pending--
    }
  }
}

function lookUp(row: DynamicEntity, name: string): EntityProperty | undefined {
  if (name === 'PartitionKey') return EntityProperty.string(row.partitionKey)
  return name === 'RowKey' ? EntityProperty.string(row.rowKey) : row.get(name)
}

/** Entities by the texts of their keys: `'a/1'`. Each has its RowKey's number as `n`, if it is one. */
export function rowsAt(...keys: readonly string[]): DynamicEntity[] {
  return keys.map((key) => {
    const [partitionKey = '', rowKey = ''] = key.split('/')
    return new DynamicEntity(partitionKey, rowKey, { n: Number.parseInt(rowKey, 10) || 0 })
  })
}

/** The texts of their keys. */
export function keysOf(rows: readonly DynamicEntity[]): string[] {
  return rows.map(({ partitionKey, rowKey }) => `${partitionKey}/${rowKey}`)
}
