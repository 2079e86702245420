import type { KeptTable } from '@rowkey/mapper'
import { type CallOptions, noRetry } from '@rowkey/rest'
import { waitWithin } from '../conflicts/retry-conflicts.ts'
import { patternsInputError } from '../errors/codes.ts'
import type { Catalogue, CatalogueEntries, CatalogueEntry, StoredCatalogue } from './catalogue.ts'
import {
  type Comparison,
  type DerivedFinding,
  type DerivedProgress,
  NOTHING,
  withPart,
} from './compare.ts'
import { type Derived, titleOf } from './definition.ts'
import type { BuildOptions } from './upkeep-options.ts'

/** Where the catalogues of some definitions are. */
export interface CataloguePlace {
  readonly catalogue: Catalogue
  readonly table: KeptTable
}

/** A build of some definitions. */
export interface BuildWork<Kept extends Derived> extends CataloguePlace {
  readonly definitions: readonly Kept[]
  readonly comparison: Comparison<Kept>
  /** Other models whose writers must not leave the definitions wrong, either. */
  readonly mirrors: readonly CataloguePlace[]
  /** The options of the caller's call. */
  readonly given: BuildOptions
  /** The options of its requests. */
  readonly options: CallOptions
}

/** The longest wait between two looks at the work of another builder. */
const LONGEST_WAIT = 1_000
/** In place of where a build continues: all rows are compared, and it looks at them a last time. */
const LAST_LOOK = 'last look'

/** Findings that a program leaves which does not declare the definitions. */
const WRITTEN: ReadonlySet<DerivedFinding['kind']> = new Set(['missing', 'stale', 'dangling'])

/**
 * Builds definitions, one builder at a time: the catalogue says who it is and where the work continues. Another program waits for the end, and
 * takes over from a builder that does not report. Two builders at once do no harm, because every repair is conditional.
 *
 * @returns what this program compared; nothing when all are readable
 * @throws InputError (`BuildIncomplete`) when a definition stays unreadable
 */
export async function runBuild<Kept extends Derived>(
  work: BuildWork<Kept>,
): Promise<DerivedProgress> {
  const { catalogue, table, options, given, definitions } = work
  const { service } = table
  const { takeOverAfter = 30_000 } = given
  const owner = service.newId()
  let watched = { text: '', since: 0 }
  for (;;) {
    const stored = await catalogue.read(table, options)
    const open = definitions.filter(({ id }) => {
      const { state = 'building' } = stored.entries[id] ?? {}
      return state === 'building' || (state === 'dropped' && given.only !== undefined)
    })
    if (open.length === 0) return NOTHING
    const held = open
      .flatMap(({ id }) => stored.entries[id] ?? [])
      .find((each) => each.owner !== undefined && each.owner !== owner)
    if (held !== undefined) {
      const now = service.now()
      const text = JSON.stringify(held)
      if (text !== watched.text) watched = { text, since: now }
      // The clock of a builder that has died may have been ahead.
      const patience = takeOverAfter + (held.next === LAST_LOOK ? 2 * catalogue.lease : 0)
      const wait = Math.min(held.until ?? 0, watched.since + patience) - now
      if (wait > 0) {
        await waitWithin(service, Math.min(wait, LONGEST_WAIT), options)
        continue
      }
    }
    const builder = new Builder({ ...work, definitions: open }, owner, stored)
    const built = await builder.run()
    if (built !== undefined) return built
  }
}

/** One program that has the work. */
class Builder<Kept extends Derived> {
  readonly #work: BuildWork<Kept>
  readonly #owner: string
  readonly #takeOverAfter: number
  readonly #wrong = new Map<string, DerivedFinding[]>()
  #stored: StoredCatalogue
  #progress = NOTHING
  #until = 0
  /** What the catalogues of the other models know. */
  #mirrored = ''

  constructor(work: BuildWork<Kept>, owner: string, stored: StoredCatalogue) {
    this.#work = work
    this.#owner = owner
    this.#stored = stored
    this.#takeOverAfter = work.given.takeOverAfter ?? 30_000
  }

  /** Does the work; `undefined` when another program has it. */
  async run(): Promise<DerivedProgress | undefined> {
    try {
      const from = await this.#take()
      if (from !== LAST_LOOK) await this.#compareAll(from)
      await this.#lookAgain()
    } catch (error) {
      if (error instanceof Lost) return undefined
      await this.#release()
      throw error
    }
    if (this.#wrong.size > 0) throw this.#incomplete()
    return this.#progress
  }

  /** Takes the work, and returns where it continues. */
  async #take(): Promise<string | undefined> {
    const { definitions, catalogue, table, options } = this.#work
    const places = definitions.map(({ id }) => this.#stored.entries[id]?.next)
    const from = places.every((each) => each === places[0]) ? places[0] : undefined
    const wasGone = definitions.some(({ id }) => this.#stored.entries[id]?.gone)
    const known = JSON.stringify(this.#stored.entries)
    await this.#change((entries) => {
      // Another program has taken it since it was read.
      if (JSON.stringify(entries) !== known) throw new Lost()
      return { next: from, closed: from === LAST_LOOK ? true : undefined }
    })
    // Programs that no longer kept a dropped one keep it again.
    if (wasGone) await catalogue.waitForAll(table, options)
    return from
  }

  async #compareAll(from: string | undefined): Promise<void> {
    const { onProgress } = this.#work.given
    for await (const part of this.#compared(true, from)) {
      await this.#report(part.findings)
      await this.#held({ next: part.next })
      this.#progress = withPart(this.#progress, part)
      await onProgress?.(this.#progress)
    }
  }

  /**
   * Compares all rows a last time, when programs that do not declare the definitions can no longer write unless they declare nothing. What is
   * wrong then shows that one of these still writes.
   */
  async #lookAgain(): Promise<void> {
    const { catalogue, table, options } = this.#work
    await this.#held({ next: LAST_LOOK, closed: true }, 2 * catalogue.lease)
    await catalogue.waitForAll(table, options)
    const verifiedAt = table.service.now()
    for await (const { findings } of this.#compared(false, undefined)) {
      for (const each of findings) {
        this.#wrong.set(each.name, [...(this.#wrong.get(each.name) ?? []), each])
      }
      await this.#report(findings)
    }
    await this.#change((entries) => {
      // After a lost response it is stored already.
      const isStored = this.#work.definitions.some(
        ({ id }) => entries[id]?.verifiedAt === verifiedAt,
      )
      if (!isStored) this.#checkOwn(entries)
      return (each) => (this.#isLeft(each) ? {} : { state: 'readable', verifiedAt })
    }, false)
  }

  /**
   * Whether a definition stays unreadable. A program that still writes leaves all of them wrong sooner or later, also those that its
   * last write left right.
   */
  #isLeft({ name }: Kept): boolean {
    return this.#wrong.has(name) || this.#isWritten
  }

  /** Whether the last look has shown that a program writes which does not declare the definitions. */
  get #isWritten(): boolean {
    return [...this.#wrong.values()].flat().some(({ kind }) => WRITTEN.has(kind))
  }

  #compared(repair: boolean, from: string | undefined): ReturnType<Comparison<Kept>> {
    const { table, definitions, options, given, comparison } = this.#work
    const { concurrency } = given
    const alive = () => this.#alive()
    return comparison({ table, definitions, repair, concurrency, options, alive }, from)
  }

  /** Reports what was found. A receiver that takes long must not look like a builder that has died. */
  async #report(findings: readonly DerivedFinding[]): Promise<void> {
    for (const finding of findings) {
      await this.#work.given.onFinding?.(finding)
      await this.#alive()
    }
  }

  /** Says that the builder lives, when a good part of its time has passed. */
  async #alive(): Promise<void> {
    const { table, definitions } = this.#work
    if (table.service.now() < this.#until - this.#takeOverAfter / 2) return
    const { next, closed } = this.#stored.entries[definitions[0]?.id ?? ''] ?? {}
    await this.#held({ next, closed })
  }

  /** Stores how far the work is. It ends the work when another program has it. */
  async #held(part: Partial<CatalogueEntry>, longer = 0): Promise<void> {
    await this.#change(
      (entries) => {
        this.#checkOwn(entries)
        return part
      },
      true,
      longer,
    )
  }

  #checkOwn(entries: CatalogueEntries): void {
    const isOwn = ({ id }: Kept) => entries[id]?.owner === this.#owner
    if (!this.#work.definitions.every(isOwn)) throw new Lost()
  }

  /** Changes the entries of the definitions, here and in the catalogues of the other models. */
  async #change(
    change: (
      entries: CatalogueEntries,
    ) => Partial<CatalogueEntry> | ((each: Kept) => Partial<CatalogueEntry>),
    isHeld = true,
    longer = 0,
  ): Promise<void> {
    const { catalogue, table, definitions, mirrors, options } = this.#work
    this.#until = Math.floor(table.service.now() + longer + this.#takeOverAfter)
    const held = isHeld ? { owner: this.#owner, until: this.#until } : {}
    const next = (entries: CatalogueEntries): CatalogueEntries => {
      const made = change(entries)
      const entryOf = (each: Kept): CatalogueEntry => ({
        state: 'building',
        table: each.table,
        ...held,
        ...(typeof made === 'function' ? made(each) : made),
      })
      return Object.fromEntries(definitions.map((each) => [each.id, entryOf(each)]))
    }
    this.#stored = await catalogue.change(table, next, options, this.#stored)
    const states = statesOf(definitions, this.#stored.entries)
    if (JSON.stringify(states) === this.#mirrored) return
    for (const mirror of mirrors) await mirror.catalogue.change(mirror.table, () => states, options)
    this.#mirrored = JSON.stringify(states)
  }

  /** Lets other builders take over at once. Without this they wait until this one is late. */
  async #release(): Promise<void> {
    const { catalogue, table, definitions, options } = this.#work
    const last = { ...options, signal: undefined, deadline: undefined, retry: noRetry }
    const release = (entries: CatalogueEntries) => {
      const own = definitions.flatMap(({ id }) => {
        const entry = entries[id]
        return entry?.owner === this.#owner ? [[id, { ...entry, owner: undefined }] as const] : []
      })
      return Object.fromEntries(own)
    }
    await catalogue.change(table, release, last, this.#stored).catch(() => undefined)
  }

  #incomplete(): Error {
    const { table, definitions } = this.#work
    const left = definitions.filter((each) => this.#isLeft(each))
    const all = [...this.#wrong.values()].flat()
    const isOf = (kind: DerivedFinding['kind']) => all.some((each) => each.kind === kind)
    const shown = all.slice(0, 3).map(({ kind, row, kept }) => {
      const { partitionKey, rowKey } = row ?? kept ?? {}
      return `${kind} ${JSON.stringify([partitionKey, rowKey])}`
    })
    const steps = [
      ...(this.#isWritten
        ? [
            'A program that does not declare it still writes: end it, or deploy the declaration to it.',
          ]
        : []),
      ...(isOf('duplicate') ? ['Several entities share a value: change one of each two.'] : []),
      ...(isOf('unreadable') ? ['Mend or delete the rows that are unreadable.'] : []),
    ]
    const found = all.length === 1 ? '1 difference' : `${all.length} differences`
    return patternsInputError({
      code: 'BuildIncomplete',
      message: `Not readable yet in table ${table.name}: ${left.map(titleOf).join(', ')}. The last look found ${found}: ${shown.join(', ')}${all.length > shown.length ? ', …' : ''}. ${steps.join(' ')} Then build again.`,
    })
  }
}

/** Returns what a catalogue of another model records of some definitions. */
export function statesOf(
  definitions: readonly Derived[],
  entries: CatalogueEntries,
): CatalogueEntries {
  const states = definitions.map(({ id }) => {
    const { state = 'building', closed, gone } = entries[id] ?? {}
    return [id, { state, closed, gone }] as const
  })
  return Object.fromEntries(states)
}

/** Ends the work of a builder: its call then waits for the one that has it. */
class Lost extends Error {}
