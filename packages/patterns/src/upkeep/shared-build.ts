import { type EntityKey, keyOfRaw, type RawEntity, TokenTrail } from '@rowkey/odata'
import { type CallOptions, noRetry, type TableService } from '@rowkey/rest'
import type {
  BuildLog,
  BuildRange,
  BuildRecord,
  BuildView,
  RangeChange,
} from '../catalogue/build-log.ts'
import { patternsInputError } from '../errors/codes.ts'
import type { IndexFinding } from './index-finding.ts'
import {
  fetchPage,
  parsePosition,
  positionAfter,
  printPosition,
  type ScrubStage,
  scrubPage,
} from './scrub-table.ts'

/** How one builder takes part in a build. */
interface BuildWork {
  readonly log: BuildLog
  readonly service: TableService
  /** The rows first, and then the entries of each index. */
  readonly stages: readonly ScrubStage[]
  readonly options: CallOptions
  /** How many rows are compared at once. */
  readonly concurrency: number
  /** How many rows one range has. */
  readonly rangeSize: number
  /** Milliseconds after which another builder takes over a range. */
  readonly takeOverAfter: number
  readonly onFinding: (finding: IndexFinding) => void
  readonly onProgress: (view: BuildView) => void
}

/** The rows of a range, page by page. */
type Pages = Iterable<readonly RawEntity[]> | AsyncIterable<readonly RawEntity[]>

/** The longest wait between two looks at the ranges of other builders, and of one that lost a race. */
const LONGEST_WAIT = 1_000
const LONGEST_RACE = 50

/**
 * Takes part in a build of indexes. The builders share a cursor in the catalogue: one that moves it over a page of rows has
 * taken this range. When the cursor is at the end, builders take over the ranges of those that died.
 *
 * A range may be worked twice, when its builder is slow, and this does no harm: every repair is conditional. It is
 * counted once.
 */
export class SharedBuild {
  readonly #work: BuildWork
  readonly #builder: string
  readonly #trail: TokenTrail
  #view: BuildView

  /**
   * @param work - the log and the stages
   * @param view - the build as it was read
   */
  constructor(work: BuildWork, view: BuildView) {
    this.#work = work
    this.#view = view
    this.#builder = work.service.defaults.newId()
    this.#trail = new TokenTrail('the indexed table', view.build.next)
  }

  /** Works until all ranges are done, by this builder or by others. */
  async run(): Promise<BuildRecord> {
    while (!isDone(this.#view.build)) {
      const { next } = this.#view.build
      if (next !== undefined) await this.#takeNext(next)
      else await this.#takeOver()
    }
    return this.#view.build
  }

  /** Records that the indexes have their new states. */
  async end(): Promise<BuildView> {
    while (this.#view.build.endedAt === undefined) {
      await this.#store({ ...this.#seen(), endedAt: this.#now() })
    }
    return this.#view
  }

  /** Moves the cursor over the next page, and compares its rows. */
  async #takeNext(next: string): Promise<void> {
    const { stages, options, rangeSize } = this.#work
    const position = parsePosition(next, stages)
    const { items, token } = await fetchPage(position, options, rangeSize)
    const after = positionAfter(position, token, stages)
    const moved = { ...this.#seen(), next: after && printPosition(after) }
    const last = items.at(-1)
    if (last === undefined) {
      if (await this.#store(moved)) this.#trail.step(moved.next, 0)
      return
    }
    const range = this.#owned({
      build: moved.id,
      number: moved.ranges + 1,
      from: next,
      through: keyOfRaw(last),
    })
    const isTaken = await this.#store({ ...moved, ranges: range.number }, { put: range })
    if (!isTaken) return
    this.#trail.step(moved.next, items.length)
    await this.#doRange(range, [items])
  }

  /** Takes over a range whose builder does not report, or waits for its end. */
  async #takeOver(): Promise<void> {
    await this.#refresh()
    const { ranges } = this.#view
    const late = ranges.find(({ endsAt }) => endsAt <= this.#now())
    if (late === undefined) {
      if (isDone(this.#view.build)) return
      const first = Math.min(...ranges.map(({ endsAt }) => endsAt - this.#now()))
      return this.#sleep(Math.min(first, LONGEST_WAIT))
    }
    const { etag: _, ...range } = late
    const own = this.#owned(range)
    if (await this.#store(this.#seen(), { put: own })) await this.#doRange(own, this.#pagesOf(own))
  }

  /** Compares the rows of a range, and counts it. A range that fails is free for other builders at once. */
  async #doRange(range: BuildRange, pages: Pages): Promise<void> {
    const { stage } = parsePosition(range.from, this.#work.stages)
    try {
      const { rows, findings } = await this.#compare(stage, pages)
      await this.#count(range, (build) => counted(build, stage, rows, findings))
    } catch (error) {
      await this.#release(range)
      throw error
    }
  }

  async #compare(
    stage: ScrubStage,
    pages: Pages,
  ): Promise<{ readonly rows: number; readonly findings: readonly IndexFinding[] }> {
    const { options, concurrency, onFinding } = this.#work
    const findings: IndexFinding[] = []
    let rows = 0
    for await (const items of pages) {
      rows += items.length
      const found = await scrubPage(stage, items, { concurrency, signal: options.signal })
      for (const finding of found) onFinding(finding)
      findings.push(...found)
    }
    return { rows, findings }
  }

  /**
   * Reads the rows of a range again. Rows may have come and gone since, so the range ends after the key of its last row and
   * not after a number of rows. Where the service does not sort rows, the range has all rows that follow.
   */
  async *#pagesOf({ from, through }: BuildRange): AsyncGenerator<readonly RawEntity[]> {
    const { stages, options, rangeSize, service } = this.#work
    const isSorted = service.endpoint.flavour !== 'cosmos'
    const { stage, token: first } = parsePosition(from, stages)
    const trail = new TokenTrail('the indexed table', first)
    let token = first
    do {
      const page = await fetchPage({ stage, token }, options, rangeSize)
      const own = page.items.filter((raw) => !isSorted || !isAfter(keyOfRaw(raw), through))
      yield own
      if (own.length < page.items.length) return
      token = page.token
      trail.step(token, page.items.length)
    } while (token !== undefined)
  }

  /** Counts a range as done, unless another builder has. */
  async #count(range: BuildRange, add: (build: BuildRecord) => BuildRecord): Promise<void> {
    for (;;) {
      const stored = this.#view.ranges.find(({ number }) => number === range.number)
      if (stored === undefined) return
      if (await this.#store(add(this.#seen()), { done: stored })) break
    }
    this.#work.onProgress(this.#view)
  }

  /** Lets other builders take the range at once. Without this they wait until it is late. */
  async #release(range: BuildRange): Promise<void> {
    if (!this.#view.ranges.some(({ number }) => number === range.number)) return
    const { log, options } = this.#work
    const put = { ...range, endsAt: 0 }
    const last = log.with({ ...options, signal: undefined, deadline: undefined, retry: noRetry })
    await last.change(this.#view, this.#seen(), { put }).catch(() => undefined)
  }

  /** Stores a change; returns false when another builder was first, after reading what it did. */
  async #store(build: BuildRecord, range?: RangeChange): Promise<boolean> {
    const stored = await this.#work.log.change(this.#view, build, range)
    if (stored === undefined) {
      await this.#sleep(this.#work.service.random() * LONGEST_RACE)
      await this.#refresh()
    } else this.#view = stored
    return stored !== undefined
  }

  async #refresh(): Promise<void> {
    const { build } = this.#view
    const view = await this.#work.log.read()
    if (view?.build.id !== build.id) throw begunAnew(build)
    this.#view = view
  }

  #seen(): BuildRecord {
    return { ...this.#view.build, lastSeenAt: this.#now() }
  }

  #owned(range: Omit<BuildRange, 'owner' | 'endsAt'>): BuildRange {
    return { ...range, owner: this.#builder, endsAt: this.#now() + this.#work.takeOverAfter }
  }

  #now(): number {
    return this.#work.service.now()
  }

  #sleep(ms: number): Promise<void> {
    return this.#work.service.sleep(ms, this.#work.options.signal)
  }
}

/** Tells whether no row is left: neither before the cursor nor in a range. */
function isDone({ next, ranges, rangesDone }: BuildRecord): boolean {
  return next === undefined && ranges === rangesDone
}

function counted(
  build: BuildRecord,
  { name }: ScrubStage,
  rows: number,
  findings: readonly IndexFinding[],
): BuildRecord {
  const isRows = name === ''
  return {
    ...build,
    rangesDone: build.rangesDone + 1,
    rows: build.rows + (isRows ? rows : 0),
    entries: build.entries + (isRows ? 0 : rows),
    found: build.found + findings.length,
    repaired: build.repaired + findings.filter(({ repaired }) => repaired).length,
    duplicates: withKind(build.duplicates, findings, 'duplicate'),
    unreadable: withKind(build.unreadable, findings, 'unreadable'),
  }
}

function withKind(
  names: readonly string[],
  findings: readonly IndexFinding[],
  kind: IndexFinding['kind'],
): readonly string[] {
  const found = findings.filter((finding) => finding.kind === kind)
  return [...new Set([...names, ...found.map(({ index }) => index)])]
}

/** Tells whether a key comes after another in the order of the service. */
function isAfter(key: EntityKey, other: EntityKey): boolean {
  if (key.partitionKey !== other.partitionKey) return key.partitionKey > other.partitionKey
  return key.rowKey > other.rowKey
}

function begunAnew({ indexes }: BuildRecord): Error {
  return patternsInputError({
    code: 'IndexStateChanged',
    message: `Another program has begun the rebuild of ${indexes.join(', ')} anew. Run rebuild again to take part in it.`,
  })
}
