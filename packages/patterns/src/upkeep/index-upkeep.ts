import type { EntityModel, KeptTable } from '@rowkey/mapper'
import { type CallOptions, callOptions, ServiceError } from '@rowkey/rest'
import {
  abandonedPlaces,
  type CatalogueRow,
  type EntryPlace,
  type IndexState,
  isClaimed,
  newRow,
} from '../catalogue/catalogue-rows.ts'
import { type IndexCatalogue, sharedKeys } from '../catalogue/index-catalogue.ts'
import { type EntityIndex, markOf } from '../definitions/index-entry.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aText } from '../errors/rules.ts'
import { type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import { type BuildRecord, BuildRow, toIndexBuild } from './build-row.ts'
import { runBuild } from './build-work.ts'
import {
  changeOpened,
  checkOwn,
  hadReaders,
  type OpenedIndex,
  openIndexes,
  removedRow,
  waitForLeases,
} from './catalogue-steps.ts'
import { type Comparison, NOTHING, withPart } from './comparison.ts'
import type { IndexBuild, IndexProgress, IndexReport } from './index-finding.ts'
import { removeEntries } from './remove-entries.ts'
import { changed, incomplete, notReadable } from './upkeep-errors.ts'
import {
  type RebuildOptions,
  rebuildOptions,
  type ScrubOptions,
  scrubOptions,
  type UpkeepOptions,
} from './upkeep-options.ts'

/** The parts of an {@link IndexUpkeep}. */
export interface UpkeepParts {
  readonly model: EntityModel<object>
  /** Tells kinds of indexes apart. */
  readonly family: string
  /** The table of the rows. */
  readonly table: KeptTable
  readonly indexes: ReadonlyMap<string, EntityIndex>
  readonly catalogue: IndexCatalogue<EntityIndex>
  /** Compares the rows with their entries. */
  readonly comparison: Comparison
}

/** The most findings that a progress shows. */
const MAX_FINDINGS = 100

/** Builds, compares, repairs and removes the indexes of one table, of both kinds. */
export class IndexUpkeep {
  readonly #parts: UpkeepParts

  /** @param parts - the table and its indexes */
  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  /**
   * Returns an index.
   *
   * @throws InputError (`InvalidPatternOption`) when the model has no index of this name
   */
  named(name: string): EntityIndex {
    const index = this.#parts.indexes.get(name)
    if (index !== undefined) return index
    throw this.#unknown(name)
  }

  /**
   * Returns an index that reads may use.
   *
   * @throws InputError (`IndexNotReadable`)
   */
  async readable(name: string, options: CallOptions): Promise<EntityIndex> {
    const { catalogue, table } = this.#parts
    const index = this.named(name)
    callOptions.check(options, `a read by index ${index.name}`)
    const { state, trouble } = await catalogue.standing(table, index, options)
    if (trouble !== undefined) throw notReadable(name, table, trouble.message)
    if (state === 'readable') return index
    throw notReadable(name, table, incomplete(state))
  }

  /** Reads the state of an index, as it is stored now. An index of another declaration is `writeOnly` for this program. */
  async state(name: string, options: CallOptions): Promise<IndexState> {
    const { catalogue, table } = this.#parts
    const index = this.named(name)
    callOptions.check(options, `state of index ${name}`)
    return (await catalogue.read(table, options)).get(index.place)?.state ?? 'writeOnly'
  }

  /** Compares all rows with their entries and all entries with their rows. */
  async scrub(options: ScrubOptions, method: 'verify' | 'repair'): Promise<IndexProgress> {
    const { table, catalogue, comparison } = this.#parts
    const place = `${method} of the indexes of table ${table.name}`
    scrubOptions.check(options, place)
    const { concurrency, from, onFinding = ignore, onProgress = ignore } = options
    const indexes = this.#chosen(options)
    return this.#run(options, async (call) => {
      let progress: IndexProgress = { ...NOTHING, findings: [], next: undefined }
      const begunAt = table.service.now()
      const alive = () => checkOwn(this.#parts, indexes, call)
      const repair = method === 'repair'
      const scrub = { table, indexes, repair, concurrency, options: call, alive }
      await alive()
      // Without a row in the catalogue, other programs would not know whose the repaired entries are.
      if (repair) await catalogue.register(table, indexes, call)
      for await (const part of comparison(scrub, from)) {
        for (const finding of part.findings) await onFinding(finding)
        const first = [...progress.findings, ...part.findings].slice(0, MAX_FINDINGS)
        progress = { ...withPart(progress, part), findings: first }
        await onProgress(progress)
      }
      const isRight = from === undefined && progress.found === progress.repaired
      if (isRight) await this.#recordVerified(indexes, begunAt, call)
      return progress
    })
  }

  /** Records that no difference was found or is left, for `explain`. */
  async #recordVerified(
    indexes: readonly EntityIndex[],
    verifiedAt: number,
    options: CallOptions,
  ): Promise<void> {
    const { catalogue, table } = this.#parts
    const own = (rows: readonly CatalogueRow[]) =>
      rows
        .filter(({ state }) => state === 'readable')
        .filter((row) => indexes.some((each) => isKeptBy(each, row)))
        .map((row) => ({ ...row, verifiedAt }))
    await catalogue.change(table, own, options).catch(unlessForbidden)
  }

  /** Builds the indexes that are not readable, and takes over those of other declarations. */
  async ensure(options: RebuildOptions): Promise<readonly IndexReport[]> {
    const { table, catalogue } = this.#parts
    rebuildOptions.check(options, `ensure of the indexes of table ${table.name}`)
    const indexes = this.#chosen(options)
    return this.#run(options, async (call) => {
      const before = await catalogue.read(table, call)
      const wanted = indexes.filter((index) => {
        const { state, row, trouble } = before.get(index.place) ?? { state: 'writeOnly' }
        const isOwn = row?.declaration === index.declaration
        // An index that was removed stays so until a person builds it, or declares another one.
        return trouble !== undefined || !isOwn || (state !== 'readable' && state !== 'disabled')
      })
      if (wanted.length > 0) await this.#build(wanted, options, call, true)
      const after = wanted.length > 0 ? await catalogue.read(table, call) : before
      return indexes.map((index): IndexReport => {
        const { state = 'writeOnly' } = after.get(index.place) ?? {}
        const declaration = before.get(index.place)?.row?.declaration
        const isOther = declaration !== undefined && declaration !== index.declaration
        const done = wanted.includes(index) ? (isOther ? 'replaced' : 'built') : 'nothing'
        return { index: index.name, state, done }
      })
    })
  }

  /** Builds indexes, whatever their state is. */
  async rebuild(options: RebuildOptions): Promise<IndexBuild> {
    const { name } = this.#parts.table
    rebuildOptions.check(options, `rebuild of the indexes of table ${name}`)
    const indexes = this.#chosen(options)
    return this.#run(options, (call) => this.#build(indexes, options, call, false))
  }

  async #build(
    indexes: readonly EntityIndex[],
    options: RebuildOptions,
    call: CallOptions,
    isContinued: boolean,
  ): Promise<IndexBuild> {
    const { table, comparison } = this.#parts
    const { concurrency, onFinding, onProgress = ignore } = options
    const { takeOverAfter = 30_000 } = options
    const last = await this.#buildRow().read(call)
    // A build that began before the call may have passed by what another client has written since.
    const earlier = isContinued && last?.endedAt === undefined ? undefined : last?.id
    const opened = await this.#open(indexes, call)
    const plan = JSON.stringify(opened.map(({ row }) => [row.place, row.generation]))
    const scrub = { table, indexes, repair: true, concurrency, options: call }
    const built = await runBuild({
      row: this.#buildRow(),
      service: table.service,
      options: call,
      plan,
      indexes: indexes.map(({ name }) => name),
      earlier,
      takeOverAfter,
      parts: (from, alive) => {
        const isOwn = async () => {
          await alive()
          await checkOwn(this.#parts, indexes, call)
        }
        return comparison({ ...scrub, alive: isOwn }, from)
      },
      onFinding,
      onProgress: (build) => onProgress(toIndexBuild(build)),
      finish: (build) => this.#finish(opened, build, call),
    })
    return toIndexBuild(built)
  }

  /**
   * Lets every program write the entries of indexes before rows are compared. It takes them over from other declarations, waits until
   * every program knows, and removes the entries of those.
   */
  async #open(
    indexes: readonly EntityIndex[],
    options: CallOptions,
  ): Promise<readonly OpenedIndex<EntityIndex>[]> {
    const opened = await openIndexes(this.#parts, indexes, options)
    const replacing = opened.filter(({ row }) => row.replaced.length > 0)
    if (replacing.length === 0) return opened
    for (const { row } of replacing) await this.#removeAbandoned(row.place, options)
    await changeOpened(this.#parts, replacing, (row) => ({ ...row, replaced: [] }), options)
    return opened
  }

  /** Stores the new states of indexes whose rows are all compared, unless someone changed them meanwhile. */
  async #finish(
    opened: readonly OpenedIndex<EntityIndex>[],
    { duplicates, unreadable, startedAt }: BuildRecord,
    options: CallOptions,
  ): Promise<void> {
    const compared = opened.filter(({ index }) => !unreadable.includes(index.name))
    const finish = (row: CatalogueRow, { name }: EntityIndex): CatalogueRow => {
      const state = duplicates.includes(name) ? 'uniquenessPending' : 'readable'
      return { ...row, state, verifiedAt: startedAt }
    }
    await changeOpened(this.#parts, compared, finish, options)
  }

  /** Takes an index out of service, in steps that each program follows, and removes its entries. It may be called again after a failure. */
  async remove(name: string, options: ManyWritesOptions): Promise<void> {
    const { catalogue, table, indexes } = this.#parts
    const title = `remove of index ${String(name)}`
    checkArgument(aText, name, `The name of ${title}`)
    manyWritesOptions.check(options, title)
    const index = indexes.get(name)
    const place = placeOf(this.#parts, name)
    const own = (rows: readonly CatalogueRow[]) => rows.find((row) => row.place === place)
    const step = async (
      change: (row: CatalogueRow | undefined) => CatalogueRow | undefined,
      call: CallOptions,
    ) => {
      const next = (rows: readonly CatalogueRow[]) => {
        const stored = own(rows)
        if (index === undefined && stored === undefined) throw this.#unknown(name)
        const trouble = index && stored === undefined && sharedKeys(table, index, rows)
        if (trouble) throw trouble
        return [change(stored) ?? []].flat()
      }
      return own(await catalogue.change(table, next, call))
    }
    await this.#run(options, async (call) => {
      // Readers stop before writers do: a reader that trusts an index for a lease more would miss rows.
      for (const state of ['writeOnly', 'disabled'] as const) {
        const now = table.service.now()
        const fresh = index && newRow(index, catalogue.lease, now)
        const row = await step((stored = fresh) => removedRow(stored, state, now), call)
        // Also when an earlier call has taken the step, and died while it waited.
        if (row !== undefined && hadReaders(row)) {
          await waitForLeases(table, [row], call)
        }
      }
      const row = await catalogue.row(table, place, call)
      if (row?.state !== 'disabled') throw changed(table.name, { kind: 'index', name }, row)
      await this.#removeAbandoned(place, call)
      const gone = (stored: CatalogueRow | undefined) =>
        stored?.state === 'disabled' ? { ...stored, entries: undefined, replaced: [] } : undefined
      await step(gone, call)
    })
  }

  /** Reads how far the last build of the indexes of this table is, in this or another program. */
  async lastBuild(options: CallOptions): Promise<IndexBuild | undefined> {
    const { table } = this.#parts
    callOptions.check(options, `lastBuild of the indexes of table ${table.name}`)
    const build = await this.#buildRow().read(options)
    return build && toIndexBuild(build)
  }

  /** Removes the entries of an index that no program keeps any more, unless another program has done so: others may use their keys then. */
  async #removeAbandoned(place: string, options: CallOptions): Promise<void> {
    const { catalogue, table } = this.#parts
    const abandoned = await catalogue.row(table, place, options)
    if (abandoned === undefined) return
    for (const each of abandonedPlaces(abandoned)) {
      const isAbandoned = async () => {
        const row = await catalogue.row(table, place, options)
        const isSame = ({ beginning, table: name }: EntryPlace) =>
          beginning === each.beginning && name === each.table
        if (row === undefined || !abandonedPlaces(row).some(isSame)) return false
        return isClaimed(table, row, each, options)
      }
      const { beginning, table: name = table.name } = each
      await removeEntries({ service: table.service, name }, beginning, isAbandoned, options)
    }
  }

  /** Runs a long call. */
  #run<Result>(
    options: CallOptions,
    work: (call: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const { table } = this.#parts
    return table.service.runAsOne(callOf(table, options), work)
  }

  #buildRow(): BuildRow {
    return new BuildRow(this.#parts.table, placeOf(this.#parts, ''))
  }

  #chosen({ indexes }: UpkeepOptions<string>): readonly EntityIndex[] {
    const names = indexes ?? [...this.#parts.indexes.keys()]
    return [...new Set(names)].toSorted().map((name) => this.named(name))
  }

  #unknown(name: string): Error {
    const { model, indexes } = this.#parts
    return invalidPatternOption(
      `${model.title} has no index ${JSON.stringify(String(name))}. It has: ${[...indexes.keys()].join(', ')}.`,
    )
  }
}

/** Tells whether a row is that of an index by the declaration of this program. */
function isKeptBy({ place, declaration }: EntityIndex, row: CatalogueRow): boolean {
  return row.place === place && row.declaration === declaration
}

function placeOf({ family, model }: UpkeepParts, name: string): string {
  return `${family}${name}${markOf(model)}`
}

/** Returns those of the options of a call that each of its requests has, and the series that it may belong to. */
export function callOf({ service }: KeptTable, options: CallOptions): CallOptions {
  const { signal, timeout, retry, context, deadline } = options
  return { ...service.pendingCalls.seriesOf(options), signal, timeout, retry, context, deadline }
}

/** A program that may only read verifies, too. */
function unlessForbidden(error: unknown): void {
  if (!(error instanceof ServiceError) || error.status !== 403) throw error
}

function ignore(): void {
  // The caller does not want to know.
}
