import { type CallOptions, noRetry, type TableService } from '@rowkey/rest'
import { waitWithin } from '../conflicts/retry-conflicts.ts'
import { patternsInputError } from '../errors/codes.ts'
import type { BuildRecord, BuildRow, StoredBuild } from './build-row.ts'
import { type ComparedPart, NOTHING, withPart } from './comparison.ts'
import type { IndexFinding } from './index-finding.ts'

/** How one program builds. */
interface BuildWork {
  readonly row: BuildRow
  readonly service: TableService
  readonly options: CallOptions
  /** The indexes and their generations. */
  readonly plan: string
  /** The names of the indexes. */
  readonly indexes: readonly string[]
  /** The build that must not do the work of this one; `undefined` when every build may. */
  readonly earlier: string | undefined
  /** Milliseconds after which another program takes over from a builder that does not report. */
  readonly takeOverAfter: number
  /** Compares the table from a place on. */
  readonly parts: (
    from: string | undefined,
    alive: () => Promise<void>,
  ) => AsyncIterable<ComparedPart>
  readonly onFinding: ((finding: IndexFinding) => void) | undefined
  readonly onProgress: (build: BuildRecord) => void
  /** Stores the states of the indexes whose rows are all compared. */
  readonly finish: (build: BuildRecord) => Promise<void>
}

/** The longest wait between two looks at the work of another builder. */
const LONGEST_WAIT = 1_000

/**
 * Builds indexes, one builder at a time: a row of the catalogue says who it is and how far the work is. Another program waits for the
 * end, and takes over where a builder ended that does not report. Two builders at once do no harm, because every repair is conditional.
 */
export async function runBuild(work: BuildWork): Promise<BuildRecord> {
  const { service, row, options, plan } = work
  const owner = service.defaults.newId()
  let watched = { etag: '', since: 0 }
  for (;;) {
    const stored = await row.read(options)
    const isShared = stored?.plan === plan && stored.id !== work.earlier
    if (isShared && stored.endedAt !== undefined) return stored
    const now = service.now()
    if (stored !== undefined && stored.etag !== watched.etag) {
      watched = { etag: stored.etag, since: now }
    }
    // The clock of a builder that has died may have been ahead.
    const { endsAt = 0, lastSeenAt = 0 } = stored ?? {}
    const wait = Math.min(endsAt, watched.since + endsAt - lastSeenAt) - now
    if (stored !== undefined && stored.endedAt === undefined && wait > 0) {
      await waitWithin(service, Math.min(wait, LONGEST_WAIT), options)
      continue
    }
    // Without a place the other builder had not begun, or had compared everything.
    const isOpen = isShared && stored.next !== undefined
    const begun = isOpen ? { ...stored, owner } : newBuild(work, owner)
    const taken = await row.write({ ...begun, ...seen(work) }, stored, options)
    const built = taken && (await new Builder(work, taken).run())
    if (built !== undefined) return built
  }
}

/** One builder that has the work. */
class Builder {
  readonly #work: BuildWork
  #stored: StoredBuild
  #isLost = false

  constructor(work: BuildWork, stored: StoredBuild) {
    this.#work = work
    this.#stored = stored
  }

  /** Does the work; `undefined` when another builder took it over. */
  async run(): Promise<BuildRecord | undefined> {
    try {
      const { service, parts, onProgress, finish } = this.#work
      for await (const part of parts(this.#stored.next, () => this.#alive())) {
        await this.#report(part.findings)
        await this.#store(counted(this.#stored, part))
        await onProgress(this.#stored)
      }
      await finish(this.#stored)
      await this.#store({ ...this.#stored, endedAt: service.now() })
      return this.#stored
    } catch (error) {
      if (this.#isLost) return undefined
      await this.#release()
      throw error
    }
  }

  /** Reports what was found. A receiver that takes long must not look like a builder that has died. */
  async #report(findings: readonly IndexFinding[]): Promise<void> {
    const { onFinding } = this.#work
    if (onFinding === undefined) return
    for (const finding of findings) {
      await onFinding(finding)
      await this.#alive()
    }
  }

  /** Says that the builder lives, when a good part of its time has passed. */
  async #alive(): Promise<void> {
    const { service, takeOverAfter } = this.#work
    if (service.now() < this.#stored.endsAt - takeOverAfter / 2) return
    await this.#store(this.#stored)
  }

  /** Stores how far the work is. It ends the work when another builder has it. */
  async #store(build: BuildRecord): Promise<void> {
    const next = { ...build, ...seen(this.#work) }
    const stored = await this.#work.row.write(next, this.#stored, this.#work.options)
    this.#isLost = stored === undefined
    if (stored === undefined) throw lost()
    this.#stored = stored
  }

  /** Lets other builders take over at once. Without this they wait until this one is late. */
  async #release(): Promise<void> {
    const { row, options } = this.#work
    const last = { ...options, signal: undefined, deadline: undefined, retry: noRetry }
    await row.write({ ...this.#stored, endsAt: 0 }, this.#stored, last).catch(() => undefined)
  }
}

/** Ends the work of a builder; its call then waits for the one that has it. */
function lost(): Error {
  const message = 'Another program has taken the build over.'
  return patternsInputError({ code: 'IndexStateChanged', message })
}

function newBuild(
  { plan, indexes, service }: BuildWork,
  owner: string,
): Omit<BuildRecord, 'endsAt' | 'lastSeenAt'> {
  return {
    plan,
    indexes,
    owner,
    id: owner,
    startedAt: service.now(),
    ...NOTHING,
    duplicates: [],
    unreadable: [],
  }
}

function seen({ service, takeOverAfter }: BuildWork): Pick<BuildRecord, 'endsAt' | 'lastSeenAt'> {
  const lastSeenAt = service.now()
  return { lastSeenAt, endsAt: lastSeenAt + takeOverAfter }
}

function counted(build: BuildRecord, part: ComparedPart): BuildRecord {
  const { findings } = part
  return {
    ...withPart(build, part),
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
