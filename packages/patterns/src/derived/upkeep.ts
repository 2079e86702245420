import { keyOfRaw } from '@rowkey/odata'
import {
  type CallOptions,
  callOptions,
  deleteEntityIfExists,
  perform,
  ServiceError,
  tableIdOf,
} from '@rowkey/rest'
import { isUnsettled, retryConflicts } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption, patternsInputError } from '../errors/codes.ts'
import { aText } from '../errors/rules.ts'
import {
  type ManyWritesOptions,
  manyWritesOptions,
  optionsOfEachRequest,
} from '../options/pattern-options.ts'
import { removing, storeTogether } from '../rows/changes.ts'
import { beginningFilter } from '../rows/row-filter.ts'
import { scanPages } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'
import { transactionsOf } from '../rows/transactions-of.ts'
import { type CataloguePlace, runBuild } from './build.ts'
import {
  type CatalogueEntries,
  type CatalogueEntry,
  type DerivedState,
  notReadable,
} from './catalogue.ts'
import { type Comparison, type DerivedProgress, NOTHING, withPart } from './compare.ts'
import type { Derived } from './definition.ts'
import { keptBeginning } from './kept-key.ts'
import {
  type BuildOptions,
  buildOptions,
  type ScrubOptions,
  scrubOptions,
} from './upkeep-options.ts'

/** What messages call one of each kind. */
const WORDS = { ix: 'index', su: 'summary', cp: 'copies' } as const

/** What is derived from the rows of one table. */
export interface UpkeepParts<Kept extends Derived> extends CataloguePlace {
  /** What messages call them: `indexes`. */
  readonly title: string
  /** What the ids of all of them begin with. */
  readonly kind: 'ix' | 'su' | 'cp'
  readonly definitions: ReadonlyMap<string, Kept>
  readonly comparison: Comparison<Kept>
  /** Other models whose writers must not leave them wrong, either. */
  readonly mirrors?: readonly CataloguePlace[] | undefined
}

/** Builds, compares, repairs and drops what is derived from the rows of one table: indexes, sums or copies. */
export class Upkeep<Kept extends Derived> {
  readonly #parts: UpkeepParts<Kept>

  /** @param parts - the table, and what is derived */
  constructor(parts: UpkeepParts<Kept>) {
    this.#parts = parts
  }

  /** The names of the definitions. */
  get names(): readonly string[] {
    return [...this.#parts.definitions.keys()]
  }

  /**
   * Returns a definition.
   *
   * @throws InputError (`InvalidPatternOption`) when the program has none of this name
   */
  named(name: string): Kept {
    const found = this.#parts.definitions.get(name)
    if (found === undefined) throw this.#unknown(name)
    return found
  }

  /**
   * Returns a definition that reads may use.
   *
   * @throws InputError (`NotReadable`)
   */
  async readable(name: string, options: CallOptions): Promise<Kept> {
    const { catalogue, table } = this.#parts
    const found = this.named(name)
    const isOld = catalogue.isLeased(table)
    let entry = (await catalogue.leased(table, options))[found.id]
    // Another program may have built it since.
    if (isOld && entry?.state !== 'readable')
      entry = (await catalogue.read(table, options)).entries[found.id]
    const { state = 'building' } = entry ?? {}
    if (state !== 'readable') throw notReadable(found, table.name, state)
    return found
  }

  /** Reads the state of a definition, as it is stored now. */
  async state(name: string, options: CallOptions): Promise<DerivedState> {
    const { catalogue, table } = this.#parts
    const { id } = this.named(name)
    const place = this.#place(`state of ${name}`)
    callOptions.check(options, place)
    const { entries } = await this.#run(options, place, (call) => catalogue.read(table, call))
    return entries[id]?.state ?? 'building'
  }

  /** Builds definitions that are not readable. */
  async build(options: BuildOptions): Promise<DerivedProgress> {
    const { catalogue, table, comparison, mirrors = [] } = this.#parts
    const place = this.#place('build')
    buildOptions.check(options, place)
    const work = { catalogue, table, comparison, mirrors, given: options }
    const definitions = this.#chosen(options)
    return this.#run(options, place, (call) => runBuild({ ...work, definitions, options: call }))
  }

  /** Compares all rows with what is derived from them. */
  async scrub(options: ScrubOptions, method: 'verify' | 'repair'): Promise<DerivedProgress> {
    const { table, comparison, catalogue } = this.#parts
    const place = this.#place(method)
    scrubOptions.check(options, place)
    const { concurrency, from, onFinding, onProgress } = options
    const definitions = this.#chosen(options)
    return this.#run(options, place, async (call) => {
      let progress = NOTHING
      const begunAt = table.service.now()
      const alive = async () => this.#checkKept(definitions, await catalogue.leased(table, call))
      await alive()
      const repair = method === 'repair'
      const scrub = { table, definitions, repair, concurrency, options: call, alive }
      for await (const part of comparison(scrub, from)) {
        for (const finding of part.findings) await onFinding?.(finding)
        progress = withPart(progress, part)
        await onProgress?.(progress)
      }
      const isRight = from === undefined && progress.found === progress.repaired
      if (isRight) await this.#recordVerified(definitions, begunAt, call)
      return progress
    })
  }

  /**
   * Drops a definition in steps that each program follows, and deletes its rows. It may be called again after a failure.
   *
   * @param name - its name, also of one that only earlier programs declared: with its fingerprint, or for all of this name
   */
  async drop(name: string, options: ManyWritesOptions): Promise<void> {
    const { catalogue, table, mirrors = [] } = this.#parts
    const place = this.#place('drop')
    checkArgument(aText, name, `The name of ${place}`)
    manyWritesOptions.check(options, place)
    await this.#run(options, place, async (call) => {
      const ids = this.#idsOf(name, (await catalogue.read(table, call)).entries)
      const mark = async (change: (entry: CatalogueEntry) => CatalogueEntry): Promise<void> => {
        const next = (entries: CatalogueEntries) =>
          Object.fromEntries(ids.map((id) => [id, change(entries[id] ?? { state: 'dropped' })]))
        await catalogue.change(table, next, call)
        for (const mirror of mirrors) await mirror.catalogue.change(mirror.table, next, call)
        await catalogue.waitForAll(table, call)
      }
      // Readers stop before writers do: a reader that trusts it for a lease more would miss rows.
      await mark(({ table: far, gone }) => ({ state: 'dropped', table: far, gone }))
      await mark((entry) => {
        if (!isDropped(entry)) throw this.#builtAgain(name)
        return { ...entry, gone: true }
      })
      for (const id of ids) await this.#deleteRows(name, id, call)
    })
  }

  #idsOf(name: string, entries: CatalogueEntries): readonly string[] {
    const { kind, definitions } = this.#parts
    const own = definitions.get(name)
    const isMeant = (id: string) => id === `${kind}~${name}` || id.startsWith(`${kind}~${name}.`)
    const ids = [...new Set([...Object.keys(entries), ...(own ? [own.id] : [])])].filter(isMeant)
    if (ids.length === 0) throw this.#unknown(name)
    return ids
  }

  /** Deletes rows by their ETags, so that a request that arrives late deletes no row of a later build. */
  async #deleteRows(name: string, id: string, options: CallOptions): Promise<void> {
    const { catalogue, table: own, kind } = this.#parts
    if (kind === 'cp') return
    const all = keptBeginning(kind, catalogue.model, id.slice(kind.length + 1))
    const remove = async (call: CallOptions): Promise<void> => {
      const { entries } = await catalogue.read(own, call)
      const far = entries[id]?.table
      const table = { service: own.service, name: far ?? own.name }
      // Several tables may share one table of entries.
      const beginning =
        far === undefined ? all : `${all}${tableIdOf(own.name, own.service.endpoint)}~`
      const select = ['PartitionKey', 'RowKey']
      for await (const page of scanPages(table, beginningFilter(beginning), call, select)) {
        if (page.length === 0) continue
        const now = await catalogue.read(own, call)
        if (now.entries[id]?.gone !== true) throw this.#builtAgain(name)
        const groups = page.map((raw) => ({
          changes: [removing(table.name, keyOfRaw(raw), etagOf(raw))],
        }))
        for (const part of transactionsOf(groups, table.service, call)) {
          const together = part.flatMap(({ changes }) => changes)
          if (await storeTogether(table, together, call)) continue
          // Another program has deleted some of them already.
          for (const { input } of together) {
            await perform(table.service, deleteEntityIfExists, input, call)
          }
        }
      }
    }
    await retryConflicts(own.service, remove, options, isUnsettled)
  }

  /** Records that no difference was found or is left, for `explain`. A program that may only read verifies, too. */
  async #recordVerified(
    definitions: readonly Kept[],
    verifiedAt: number,
    options: CallOptions,
  ): Promise<void> {
    const { catalogue, table } = this.#parts
    const verified = (entries: CatalogueEntries): CatalogueEntries => {
      const own = definitions.flatMap(({ id }) => {
        const entry = entries[id]
        return entry?.state === 'readable' ? [[id, { ...entry, verifiedAt }] as const] : []
      })
      return Object.fromEntries(own)
    }
    await catalogue.change(table, verified, options).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.status !== 403) throw error
    })
  }

  #checkKept(definitions: readonly Kept[], entries: CatalogueEntries): void {
    const { table } = this.#parts
    const dropped = definitions.find(({ id }) => isDropped(entries[id]))
    if (dropped !== undefined) throw notReadable(dropped, table.name, 'dropped')
  }

  #chosen({ only }: Pick<BuildOptions, 'only'>): readonly Kept[] {
    const names = only ?? [...this.#parts.definitions.keys()]
    return [...new Set(names)].toSorted().map((name) => this.named(name))
  }

  #run<Result>(
    options: CallOptions,
    place: string,
    work: (call: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const { service } = this.#parts.table
    return service.call(optionsOfEachRequest(options), place, (call) => work(call.options))
  }

  #place(method: string): string {
    const { title, table } = this.#parts
    return `${method} of the ${title} of table ${table.name}`
  }

  #unknown(name: string): Error {
    const { kind, definitions, catalogue } = this.#parts
    return invalidPatternOption(
      `${catalogue.model.title} has no ${WORDS[kind]} ${JSON.stringify(String(name))}. It has: ${[...definitions.keys()].join(', ')}.`,
    )
  }

  #builtAgain(name: string): Error {
    return patternsInputError({
      code: 'DefinitionChanged',
      message: `Another program builds ${name} of table ${this.#parts.table.name}, which this one drops. Call drop again, if this program should decide.`,
    })
  }
}

function isDropped(entry: CatalogueEntry | undefined): boolean {
  return entry?.state === 'dropped'
}
