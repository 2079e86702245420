import type { KeptTable } from '@rowkey/mapper'
import { type CallOptions, checkOptions } from '@rowkey/rest'
import { BuildLog, buildKey, readBuilds } from '../catalogue/build-log.ts'
import type { IndexCatalogue, IndexState } from '../catalogue/index-catalogue.ts'
import { CALL_OPTIONS } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { type IndexBuild, toIndexBuild } from './index-build.ts'
import type { IndexProgress } from './index-finding.ts'
import { type BuiltIndex, joinBuild } from './join-build.ts'
import { BEGINNING, type ScrubStage } from './scrub-stage.ts'
import { scrubTable } from './scrub-table.ts'
import { SharedBuild } from './shared-build.ts'
import {
  REBUILD_OPTIONS,
  type RebuildOptions,
  SCRUB_OPTIONS,
  type ScrubOptions,
  type UpkeepOptions,
} from './upkeep-options.ts'

/** How the rows of a table are compared with their entries. */
export interface Scrub<Index> {
  readonly indexes: readonly Index[]
  /** Whether differences are repaired. */
  readonly repair: boolean
  readonly options: CallOptions
}

/** The parts of an {@link IndexUpkeep}. */
export interface UpkeepParts<Index extends BuiltIndex> {
  /** The title of the model, for messages. */
  readonly title: string
  /** The table of the rows. */
  readonly table: KeptTable
  readonly indexes: ReadonlyMap<string, Index>
  readonly catalogue: IndexCatalogue
  /** The beginning of the names of the indexes in the catalogue; tells families of indexes apart. */
  readonly family: string
  /** Returns the stages of the work: the rows first, and then the entries of each index. */
  readonly stages: (scrub: Scrub<Index>) => readonly ScrubStage[]
}

const MAX_RANGE_SIZE = 1_000

/** Compares, repairs and builds the indexes of one table, of any family. */
export class IndexUpkeep<Index extends BuiltIndex> {
  readonly #parts: UpkeepParts<Index>

  /** @param parts - the table and its indexes */
  constructor(parts: UpkeepParts<Index>) {
    this.#parts = parts
  }

  /**
   * Returns an index.
   *
   * @throws InputError (`InvalidPatternOption`) when the model has no index of this name
   */
  named(name: string): Index {
    const { title, indexes } = this.#parts
    const index = indexes.get(name)
    if (index !== undefined) return index
    throw invalid(
      `${title} has no index ${JSON.stringify(name) ?? String(name)}. It has: ${[...indexes.keys()].join(', ')}.`,
    )
  }

  /**
   * Returns an index that reads may use.
   *
   * @throws InputError (`IndexNotReadable`)
   */
  async readable(name: string, options: CallOptions): Promise<Index> {
    const { catalogue, table, family } = this.#parts
    const index = this.named(name)
    const state = await catalogue.state(table, `${family}${name}`, options)
    if (state === 'readable') return index
    throw patternsInputError({
      code: 'IndexNotReadable',
      message: `Index ${name} of table ${table.name} is ${state}: its entries may be incomplete. Run rebuild once, when every program that writes the table declares the index.`,
    })
  }

  /** Reads the state of an index, as it is stored now. */
  async state(name: string, options: CallOptions): Promise<IndexState> {
    return this.#parts.catalogue.read(this.#parts.table, this.#placeOf(name), options)
  }

  /** Changes the state of an index, and waits for two leases, until every program sees it. */
  async setState(name: string, state: IndexState, options: CallOptions): Promise<void> {
    const { catalogue, table } = this.#parts
    await catalogue.change(table, this.#placeOf(name), state, options)
    await table.service.sleep(2 * catalogue.lease, options.signal)
  }

  /** Compares all rows with their entries and all entries with their rows. */
  async scrub(options: ScrubOptions, method: 'verify' | 'repair'): Promise<IndexProgress> {
    const { table, stages } = this.#parts
    checkOptions(options, SCRUB_OPTIONS, `${method} of the indexes of table ${table.name}`)
    const { concurrency = 8, from = BEGINNING, onFinding = ignore, onProgress = ignore } = options
    const call = table.service.withDeadline(callOf(options))
    const scrub = { indexes: this.#chosen(options), repair: method === 'repair', options: call }
    return scrubTable({
      stages: stages(scrub),
      options: call,
      concurrency,
      from,
      onFinding,
      onProgress,
    })
  }

  /** Builds indexes together with other builders, and makes them readable. */
  async rebuild(options: RebuildOptions): Promise<IndexBuild> {
    const { table, catalogue, stages } = this.#parts
    checkOptions(options, REBUILD_OPTIONS, `rebuild of the indexes of table ${table.name}`)
    const { concurrency = 8, onFinding = ignore, onProgress = ignore } = options
    const rangeSize = wholeNumber('rangeSize', options.rangeSize ?? 100, MAX_RANGE_SIZE)
    const takeOverAfter = wholeNumber('takeOverAfter', options.takeOverAfter ?? 30_000)
    const call = table.service.withDeadline(callOf(options))
    const indexes = this.#chosen(options).toSorted(byName)
    const generations = await this.#open(indexes, call)
    const log = new BuildLog(table, this.#buildKey(indexes), call)
    const plan = { indexes, generations, takeOverAfter, restart: options.restart === true }
    const build = new SharedBuild(
      {
        log,
        service: table.service,
        stages: stages({ indexes, repair: true, options: call }),
        options: call,
        concurrency,
        rangeSize,
        takeOverAfter,
        onFinding,
        onProgress: (view) => onProgress(toIndexBuild(view)),
      },
      await joinBuild(log, plan, table),
    )
    const { duplicates, unreadable } = await build.run()
    for (const [at, { name }] of indexes.entries()) {
      if (unreadable.includes(name)) continue
      const state = duplicates.includes(name) ? 'uniquenessPending' : 'readable'
      const end = { state, generation: generations[at] ?? 0 } as const
      await catalogue.finish(table, this.#placeOf(name), end, call)
    }
    return toIndexBuild(await build.end())
  }

  /** Reads how far the builds of this table are, ended ones included. */
  async builds(options: CallOptions): Promise<readonly IndexBuild[]> {
    checkOptions(options, CALL_OPTIONS, `builds of table ${this.#parts.table.name}`)
    const { table, family } = this.#parts
    return (await readBuilds(table, family, options)).map(toIndexBuild)
  }

  /**
   * Lets every program write entries before rows are compared.
   *
   * @returns the generation of each index
   */
  async #open(indexes: readonly Index[], options: CallOptions): Promise<readonly number[]> {
    const { catalogue, table } = this.#parts
    const generations: number[] = []
    let openAt = 0
    for (const { name } of indexes) {
      const row = await catalogue.open(table, this.#placeOf(name), options)
      generations.push(row.generation)
      // Another builder may have opened it a moment ago.
      openAt = Math.max(openAt, row.changedAt + 2 * catalogue.lease)
    }
    const wait = openAt - table.service.now()
    if (wait > 0) await table.service.sleep(wait, options.signal)
    return generations
  }

  #chosen({ indexes }: UpkeepOptions<string>): readonly Index[] {
    if (indexes === undefined) return [...this.#parts.indexes.values()]
    return [...new Set(indexes)].map((name) => this.named(name))
  }

  #placeOf(name: string): string {
    return `${this.#parts.family}${this.named(name).name}`
  }

  #buildKey(indexes: readonly Index[]): string {
    return buildKey(
      this.#parts.family,
      indexes.map(({ name }) => name),
    )
  }
}

/** Returns the options of each request of a long call. */
function callOf({ signal, timeout, retry, context, deadline }: CallOptions): CallOptions {
  return { signal, timeout, retry, context, deadline }
}

/** Builders that name the same indexes in another order build them together. */
function byName({ name: one }: BuiltIndex, { name: other }: BuiltIndex): number {
  return one < other ? -1 : 1
}

function ignore(): void {
  // The caller does not want to know.
}

function wholeNumber(name: string, value: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? 'from 1' : `from 1 to ${most}`
  throw invalid(`${name} of rebuild must be a whole number ${range}; got ${String(value)}.`)
}

function invalid(message: string): Error {
  return patternsInputError({ code: 'InvalidPatternOption', message })
}
