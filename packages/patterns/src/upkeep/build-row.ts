import type { KeptTable } from '@rowkey/mapper'
import { DynamicEntity, dynamicEntityCodec } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { CATALOGUE } from '../catalogue/catalogue-rows.ts'
import { keeping, storeTogether } from '../rows/changes.ts'
import { etagOf, findStored } from '../rows/stored-row.ts'
import type { IndexBuild } from './index-finding.ts'

/** How far a build of indexes is. All times are milliseconds since 1970, UTC. */
export interface BuildRecord extends Omit<IndexBuild, 'startedAt' | 'lastSeenAt' | 'endedAt'> {
  /** The indexes and their generations: another builder continues the same work only. */
  readonly plan: string
  /** Tells it from all other builds. */
  readonly id: string
  /** The builder. */
  readonly owner: string
  /** When another builder may take the work over. */
  readonly endsAt: number
  readonly startedAt: number
  readonly lastSeenAt: number
  readonly endedAt?: number | undefined
  /** Where the work continues; absent at the beginning. */
  readonly next?: string | undefined
}

/** A build at the version that was read. */
export interface StoredBuild extends BuildRecord {
  readonly etag: string
}

/** The property that holds a build as JSON. */
const BUILD = 'Build'

/** The row of the catalogue that says which program builds the indexes of one model. */
export class BuildRow {
  readonly #table: KeptTable
  readonly #rowKey: string

  /**
   * @param table - the table of the indexed rows
   * @param mark - tells the builds of a model and a kind of indexes apart
   */
  constructor(table: KeptTable, mark: string) {
    this.#table = table
    this.#rowKey = `${CATALOGUE}build=${mark}`
  }

  /** Reads the last build; `undefined` before the first. */
  async read(options: CallOptions): Promise<StoredBuild | undefined> {
    const key = { partitionKey: CATALOGUE, rowKey: this.#rowKey }
    const stored = await findStored(this.#table, key, options)
    const text = stored?.[BUILD]
    if (stored === undefined || typeof text !== 'string') return undefined
    return { ...JSON.parse(text), etag: etagOf(stored) }
  }

  /**
   * Writes a build over the one that was read.
   *
   * @returns `undefined` when another builder was faster
   */
  async write(
    build: BuildRecord,
    over: StoredBuild | undefined,
    options: CallOptions,
  ): Promise<StoredBuild | undefined> {
    const key = { partitionKey: CATALOGUE, rowKey: this.#rowKey }
    const text = JSON.stringify({ ...build, etag: undefined })
    const row = new DynamicEntity(key.partitionKey, key.rowKey, { [BUILD]: text })
    const input = { table: this.#table.name, key, body: dynamicEntityCodec.write(row) }
    const [stored] = (await storeTogether(this.#table, [keeping(input, over?.etag)], options)) ?? []
    if (stored !== undefined) return { ...build, etag: stored.etag ?? '' }
    // After a lost response, the row may be the one that was sent.
    const now = await this.read(options)
    return JSON.stringify({ ...now, etag: undefined }) === text ? now : undefined
  }
}

/** Shows a build to a caller. */
export function toIndexBuild(build: BuildRecord): IndexBuild {
  const { indexes, startedAt, lastSeenAt, endedAt } = build
  const { rows, entries, found, repaired, duplicates, unreadable } = build
  return {
    indexes,
    startedAt: new Date(startedAt),
    lastSeenAt: new Date(lastSeenAt),
    endedAt: endedAt === undefined ? undefined : new Date(endedAt),
    rows,
    entries,
    found,
    repaired,
    duplicates,
    unreadable,
  }
}
