import type { KeptTable } from '@rowkey/mapper'
import { and, DynamicEntity, dynamicEntityCodec, type EntityKey } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntity,
  entityGroupTransaction,
  insertEntity,
  insertOrReplaceEntity,
  perform,
  updateEntity,
} from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import { hashOf } from '../rows/hash-of.ts'
import { beginningFilter, inPartition } from '../rows/row-filter.ts'
import { scanRows } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'
import { CATALOGUE } from './index-catalogue.ts'

/** How far a build of indexes is, as its row in the catalogue says. All times are milliseconds since 1970, UTC. */
export interface BuildRecord {
  /** Tells this build from earlier ones of the same indexes. */
  readonly id: string
  /** The names of the indexes. */
  readonly indexes: readonly string[]
  /** A hash of their declarations: builders with others must not take part. */
  readonly stamp: number
  /** The generation of the state of each index when the build began. */
  readonly generations: readonly number[]
  readonly startedAt: number
  readonly lastSeenAt: number
  readonly endedAt?: number | undefined
  /** Where the next range begins; absent after the last. */
  readonly next?: string | undefined
  /** How many ranges builders have taken. */
  readonly ranges: number
  readonly rangesDone: number
  readonly rows: number
  readonly entries: number
  readonly found: number
  readonly repaired: number
  /** The indexes with values that several rows share. */
  readonly duplicates: readonly string[]
  /** The indexes that a row is unreadable for. */
  readonly unreadable: readonly string[]
}

/** A range of rows that a builder has taken and not yet done. */
export interface BuildRange {
  /** The id of its build. */
  readonly build: string
  /** Counts the ranges of a build from 1. */
  readonly number: number
  /** Where the range begins: a place of the table. */
  readonly from: string
  /** The key of its last row when it was taken. */
  readonly through: EntityKey
  /** The builder. */
  readonly owner: string
  /** When another builder may take it over, in milliseconds since 1970, UTC. */
  readonly endsAt: number
}

/** A build and its pending ranges, at the versions that were read. */
export interface BuildView {
  readonly build: BuildRecord
  readonly etag: string
  readonly ranges: readonly StoredRange[]
}

/** A range at the version that was read. */
interface StoredRange extends BuildRange {
  readonly etag: string
}

/** A change of one range: `put` takes it, `done` removes it. */
export type RangeChange = { readonly put: BuildRange } | { readonly done: StoredRange }

/** The properties of catalogue rows that hold a build or a range as JSON. */
const BUILD = 'Build'
const RANGE = 'Range'
/** The most old ranges that one transaction removes beside the row of a new build. */
const MAX_REMOVED = 90

/**
 * Stores builds of indexes in the catalogue. Every change is a transaction with the row of the build, on
 * condition of its ETag. When two builders change a build at once, one of them starts again.
 */
export class BuildLog {
  readonly #table: KeptTable
  readonly #rowKey: string
  readonly #options: CallOptions

  /**
   * @param table - the table of the indexed rows
   * @param rowKey - the RowKey of the build, from {@link buildKey}
   * @param options - the options of every call
   */
  constructor(table: KeptTable, rowKey: string, options: CallOptions) {
    this.#table = table
    this.#rowKey = rowKey
    this.#options = options
  }

  /** Returns this log with other call options. */
  with(options: CallOptions): BuildLog {
    return new BuildLog(this.#table, this.#rowKey, options)
  }

  /** Reads the build and its pending ranges; `undefined` when these indexes were never built. */
  async read(): Promise<BuildView | undefined> {
    const [view] = await readViews(this.#table, this.#rowKey, this.#options)
    return view
  }

  /**
   * Begins a build, in place of an ended or abandoned one.
   *
   * @param old - the build that was read
   * @param build - the new one
   * @returns `undefined` when another builder began one first
   */
  async begin(old: BuildView | undefined, build: BuildRecord): Promise<BuildView | undefined> {
    const row = this.#row(this.#rowKey, BUILD, build)
    const first: Change =
      old === undefined
        ? { operation: insertEntity, input: row }
        : { operation: updateEntity, input: { ...row, etag: old.etag } }
    const left = (old?.ranges ?? []).slice(0, MAX_REMOVED)
    const etags = await this.#send([first, ...left.map((range) => this.#removal(range))])
    return etags && { build, etag: etags[0] ?? '', ranges: [] }
  }

  /**
   * Stores a build and a change of one of its ranges.
   *
   * @param view - the build that was read
   * @param build - its next state
   * @returns `undefined` when another builder changed the build first
   */
  async change(
    view: BuildView,
    build: BuildRecord,
    range?: RangeChange,
  ): Promise<BuildView | undefined> {
    const row = { ...this.#row(this.#rowKey, BUILD, build), etag: view.etag }
    const changes: Change[] = [{ operation: updateEntity, input: row }]
    if (range !== undefined) changes.push(this.#rangeChange(view, range))
    const etags = await this.#send(changes)
    if (etags === undefined) return undefined
    const [etag = '', rangeTag = ''] = etags
    const number = range && ('put' in range ? range.put.number : range.done.number)
    const others = view.ranges.filter((each) => each.number !== number)
    const own = range !== undefined && 'put' in range ? [{ ...range.put, etag: rangeTag }] : []
    return { build, etag, ranges: [...others, ...own] }
  }

  #rangeChange({ ranges }: BuildView, change: RangeChange): Change {
    if ('done' in change) return this.#removal(change.done)
    const { put } = change
    const row = this.#row(this.#rangeKey(put.number), RANGE, put)
    const known = ranges.find(({ number }) => number === put.number)
    return known === undefined
      ? // An abandoned build may have left a range of this number.
        { operation: insertOrReplaceEntity, input: row }
      : { operation: updateEntity, input: { ...row, etag: known.etag } }
  }

  #removal({ number, etag }: StoredRange): Change {
    const { table, key } = this.#row(this.#rangeKey(number), RANGE, undefined)
    return { operation: deleteEntity, input: { table, key, body: '', etag } }
  }

  #rangeKey(number: number): string {
    return `${this.#rowKey}.${String(number).padStart(9, '0')}`
  }

  #row(rowKey: string, name: string, value: BuildRecord | BuildRange | undefined) {
    const key = { partitionKey: CATALOGUE, rowKey }
    const row = new DynamicEntity(CATALOGUE, rowKey, { [name]: JSON.stringify(value) })
    return { table: this.#table.name, key, body: dynamicEntityCodec.write(row) }
  }

  async #send(changes: readonly Change[]): Promise<readonly string[] | undefined> {
    const { service, name: table } = this.#table
    try {
      const results = await perform(
        service,
        entityGroupTransaction,
        { table, changes },
        this.#options,
      )
      return results.map(({ etag = '' }) => etag)
    } catch (error) {
      if (isConflict(error)) return undefined
      throw error
    }
  }
}

/** Reads all builds of a table, with their pending ranges. */
export function readBuilds(
  table: KeptTable,
  family: string,
  options: CallOptions,
): Promise<readonly BuildView[]> {
  return readViews(table, beginningOf(family), options)
}

/**
 * Returns the RowKey of a build.
 *
 * @param family - tells indexes of the same names apart
 * @param indexes - the names of the indexes that are built together
 */
export function buildKey(family: string, indexes: readonly string[]): string {
  const hash = hashOf(indexes.toSorted().join(' '))
  return `${beginningOf(family)}${hash.toString(16).padStart(8, '0')}`
}

function beginningOf(family: string): string {
  return `${CATALOGUE}${family}build=`
}

async function readViews(
  table: KeptTable,
  beginning: string,
  options: CallOptions,
): Promise<readonly BuildView[]> {
  const builds: Omit<BuildView, 'ranges'>[] = []
  const ranges: StoredRange[] = []
  const filter = and(inPartition(CATALOGUE), beginningFilter(beginning))
  for await (const raw of scanRows(table, filter, options)) {
    const { [BUILD]: build, [RANGE]: range } = raw
    const etag = etagOf(raw)
    if (typeof build === 'string') builds.push({ build: JSON.parse(build), etag })
    if (typeof range === 'string') ranges.push({ ...JSON.parse(range), etag })
  }
  return builds.map((view) => ({
    ...view,
    ranges: ranges.filter((range) => range.build === view.build.id),
  }))
}
