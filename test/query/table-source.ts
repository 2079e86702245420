import {
  constant,
  DynamicEntity,
  type EntityKey,
  EntityProperty,
  evaluateFilter,
  parseFilter,
} from '@rowkey/odata'
import type {
  CompiledQuery,
  PageRequest,
  QueryOptions,
  QueryPage,
  RawQuerySource,
} from '@rowkey/query'
import { compareKeys } from '../../packages/query/src/parallel/compare-keys.ts'

/** One question that a {@link TableSource} was asked: the text of a filter, or a key. */
export interface Question {
  readonly asked: string
  readonly options: QueryOptions
}

/** What a {@link TableSource} does beside answering. */
export interface TableSourceHabits {
  /** The most rows in one page. */
  readonly pageSize?: number
  /** Called before each answer; the answer waits for it. */
  readonly before?: (asked: string) => Promise<void> | void
}

/** A table of entities that answers filters by their text, and knows how much was asked at once. */
export class TableSource implements RawQuerySource<DynamicEntity, QueryOptions, DynamicEntity> {
  readonly questions: Question[] = []
  /** How many questions at most were under way at once. */
  most = 0
  #underWay = 0
  readonly #entities: readonly DynamicEntity[]
  readonly #habits: TableSourceHabits

  constructor(entities: readonly DynamicEntity[], habits: TableSourceHabits = {}) {
    this.#entities = entities.toSorted(compareKeys)
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
    this.#underWay++
    this.most = Math.max(this.most, this.#underWay)
    try {
      await this.#habits.before?.(asked)
    } finally {
      this.#underWay--
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
