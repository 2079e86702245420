import type { KeptTable } from '@rowkey/mapper'
import { resultsInOrder } from '@rowkey/query'
import { type CallOptions, checkOptions, type TableService } from '@rowkey/rest'
import { BuildLog, type BuildRecord, buildKey, readBuilds } from '../catalogue/build-log.ts'
import type { IndexCatalogue, IndexState } from '../catalogue/index-catalogue.ts'
import {
  CALL_OPTIONS,
  checkBoolean,
  checkCount,
  checkFunction,
  checkNames,
  checkOptional,
  checkText,
} from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { loopSeries } from '../rows/scan-rows.ts'
import type { IndexProgress } from './index-finding.ts'
import { type BuiltIndex, type IndexBuild, joinBuild, toIndexBuild } from './join-build.ts'
import { BEGINNING, type ScrubStage, scrubTable } from './scrub-table.ts'
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
interface UpkeepParts<Index extends BuiltIndex> {
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

/** The options of a query by an index. */
type FollowOptions = CallOptions & { readonly concurrency?: number | undefined }

/** A query of entries. */
interface EntryPages<Item> {
  byPage(options: CallOptions): AsyncIterable<{ readonly items: readonly Item[] }>
}

const MAX_RANGE_SIZE = 1_000
/** The states that a caller may set. */
const SETTABLE: readonly string[] = ['disabled', 'deleteOnly', 'writeOnly']

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
      `${title} has no index ${JSON.stringify(String(name))}. It has: ${[...indexes.keys()].join(', ')}.`,
    )
  }

  /**
   * Returns an index that reads may use.
   *
   * @throws InputError (`IndexNotReadable`)
   */
  async readable(name: string, options: CallOptions): Promise<Index> {
    const { catalogue, table } = this.#parts
    const index = this.named(name)
    checkOptions(options, CALL_OPTIONS, `a read by index ${index.name}`)
    const state = await catalogue.state(table, index, options)
    if (state === 'readable') return index
    throw patternsInputError({
      code: 'IndexNotReadable',
      message: `Index ${name} of table ${table.name} is ${state}: its entries may be incomplete. Run rebuild once, when every program that writes the table declares the index.`,
    })
  }

  /**
   * Reads the entities of the entries that match a condition, in the order of the entries. It sends one
   * request for each page of entries, and calls `read` for each entry, several at once.
   *
   * @param name - the index
   * @param options - the caller's options
   * @param entriesOf - makes the query of the entries
   * @param read - reads the entity of an entry; `undefined` when the entry is not its own now
   */
  async *entities<Item, Entity>(
    name: string,
    options: FollowOptions,
    entriesOf: (index: Index) => EntryPages<Item>,
    read: (index: Index, item: Item, options: CallOptions) => Promise<Entity | undefined>,
  ): AsyncGenerator<Entity, void, undefined> {
    const index = this.named(name)
    const place = `query by index ${index.name}`
    checkOptions(options, [...CALL_OPTIONS, 'concurrency'], place)
    checkOptional(options.concurrency, checkCount, `concurrency of ${place}`)
    yield* loopSeries(this.#parts.table.service, options, (call) =>
      this.#follow(index, entriesOf(index), (item, each) => read(index, item, each), call),
    )
  }

  async *#follow<Item, Entity>(
    index: Index,
    entries: EntryPages<Item>,
    read: (item: Item, options: CallOptions) => Promise<Entity | undefined>,
    { concurrency, ...call }: FollowOptions,
  ): AsyncGenerator<Entity, void, undefined> {
    await this.readable(index.name, call)
    for await (const { items } of entries.byPage(call)) {
      const readOne = (item: Item, signal: AbortSignal) => read(item, { ...call, signal })
      const found = resultsInOrder(items, readOne, { concurrency, signal: call.signal })
      for await (const entity of found) if (entity !== undefined) yield entity
    }
  }

  /** Reads the state of an index, as it is stored now. */
  async state(name: string, options: CallOptions): Promise<IndexState> {
    const index = this.named(name)
    checkOptions(options, CALL_OPTIONS, `state of index ${name}`)
    return this.#parts.catalogue.read(this.#parts.table, index, options)
  }

  /** Changes the state of an index, and waits for two leases, until every program sees it. */
  async setState(name: string, state: IndexState, options: CallOptions): Promise<void> {
    const { catalogue, table } = this.#parts
    const index = this.named(name)
    checkOptions(options, CALL_OPTIONS, `setState of index ${name}`)
    if (!SETTABLE.includes(state)) {
      throw invalid(
        `The state of index ${name} must be one of ${SETTABLE.join(', ')}; got ${String(state)}. Only rebuild makes an index readable.`,
      )
    }
    const lease = () => table.service.sleep(2 * catalogue.lease, options.signal)
    await table.service.pendingCalls.runSeries(options, async (call) => {
      // Readers stop before writers do: a reader that trusts an index for a lease more would miss rows.
      const isRead = (await catalogue.read(table, index, call)) === 'readable'
      if (isRead && state !== 'writeOnly') {
        await catalogue.change(table, index, 'writeOnly', call)
        await lease()
      }
      await catalogue.change(table, index, state, call)
    })
    await lease()
  }

  /** Compares all rows with their entries and all entries with their rows. */
  async scrub(options: ScrubOptions, method: 'verify' | 'repair'): Promise<IndexProgress> {
    const { table, stages } = this.#parts
    const place = `${method} of the indexes of table ${table.name}`
    checkOptions(options, SCRUB_OPTIONS, place)
    checkUpkeep(options, place)
    checkOptional(options.from, checkText, `from of ${place}`)
    const { concurrency = 8, from = BEGINNING, onFinding = ignore, onProgress = ignore } = options
    const indexes = this.#chosen(options)
    const { service } = table
    return service.pendingCalls.runSeries(service.withDeadline(callOf(service, options)), (call) =>
      scrubTable({
        stages: stages({ indexes, repair: method === 'repair', options: call }),
        options: call,
        concurrency,
        from,
        onFinding,
        onProgress,
      }),
    )
  }

  /** Builds indexes together with other builders, and makes them readable. */
  async rebuild(options: RebuildOptions): Promise<IndexBuild> {
    const { name, service } = this.#parts.table
    checkRebuild(options, name)
    return service.pendingCalls.runSeries(service.withDeadline(callOf(service, options)), (call) =>
      this.#rebuild(options, call),
    )
  }

  async #rebuild(options: RebuildOptions, call: CallOptions): Promise<IndexBuild> {
    const { table, stages } = this.#parts
    const { concurrency = 8, onFinding = ignore, onProgress = ignore } = options
    const { rangeSize = 100, takeOverAfter = 30_000 } = options
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
    await this.#finish(indexes, generations, await build.run(), call)
    return toIndexBuild(await build.end())
  }

  /** Stores the new states of indexes whose rows are all compared. */
  async #finish(
    indexes: readonly Index[],
    generations: readonly number[],
    { duplicates, unreadable }: BuildRecord,
    options: CallOptions,
  ): Promise<void> {
    const { catalogue, table } = this.#parts
    for (const [at, index] of indexes.entries()) {
      const { name } = index
      if (unreadable.includes(name)) continue
      const state = duplicates.includes(name) ? 'uniquenessPending' : 'readable'
      const end = { state, generation: generations[at] ?? 0 } as const
      await catalogue.finish(table, index, end, options)
    }
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
    for (const index of indexes) {
      const row = await catalogue.open(table, index, options)
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

  #buildKey(indexes: readonly Index[]): string {
    return buildKey(
      this.#parts.family,
      indexes.map(({ place }) => place),
    )
  }
}

/** Returns the options of each request of a long call, with the series that it may belong to. */
function callOf({ pendingCalls }: TableService, options: CallOptions): CallOptions {
  const { signal, timeout, retry, context, deadline } = options
  return { ...pendingCalls.seriesOf(options), signal, timeout, retry, context, deadline }
}

/** Builders that name the same indexes in another order build them together. */
function byName({ name: one }: BuiltIndex, { name: other }: BuiltIndex): number {
  return one < other ? -1 : 1
}

function checkRebuild(options: RebuildOptions, table: string): void {
  const place = `rebuild of the indexes of table ${table}`
  checkOptions(options, REBUILD_OPTIONS, place)
  checkUpkeep(options, place)
  checkOptional(options.restart, checkBoolean, `restart of ${place}`)
  checkOptional(options.rangeSize, checkCount, `rangeSize of ${place}`)
  checkOptional(options.takeOverAfter, checkCount, `takeOverAfter of ${place}`)
  if ((options.rangeSize ?? 1) <= MAX_RANGE_SIZE) return
  throw invalid(
    `rangeSize of ${place} must be at most ${MAX_RANGE_SIZE}; got ${options.rangeSize}.`,
  )
}

function checkUpkeep(
  { indexes, concurrency, onFinding, onProgress }: ScrubOptions | RebuildOptions,
  place: string,
): void {
  checkOptional(indexes, checkNames, `indexes of ${place}`)
  checkOptional(concurrency, checkCount, `concurrency of ${place}`)
  checkOptional(onFinding, checkFunction, `onFinding of ${place}`)
  checkOptional(onProgress, checkFunction, `onProgress of ${place}`)
}

function ignore(): void {
  // The caller does not want to know.
}

function invalid(message: string): Error {
  return patternsInputError({ code: 'InvalidPatternOption', message })
}
