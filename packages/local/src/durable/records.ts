import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closedStore, corruptedStore, missingStore } from '../errors/store-error.ts'
import type { Visit } from '../store/table-store.ts'
import { claimFolder } from './claim-folder.ts'
import { CommitQueue } from './commits.ts'
import { type Engine, readValue, walk, writeAll } from './engine.ts'
import { storeErrorOf } from './engine-error.ts'
import { type OpenedEngine, openEngine } from './open-engine.ts'
import { RecordDraft } from './record-draft.ts'
import type { RecordRange } from './record-key.ts'
import { unsealText } from './sealed-text.ts'
import { logIn, logSize, OWNER_ONLY, recordCommits, restrictFiles } from './store-folder.ts'

/** A file that is written and removed to test for room on the disk. */
const TRIAL = 'rowkey-store.trial'
/** More room than the log, which the engine rewrites as a table file when it opens. */
const TRIAL_MARGIN = 65_536

/** The records of a durable store: texts by key in the order of the keys' UTF-8. */
export class Records {
  /** Called after the engine was opened again, before the next write. */
  onReopen: () => Promise<void> = async () => {}
  readonly #folder: string
  readonly #release: () => Promise<void>
  readonly #queue = new CommitQueue<RecordDraft>((apply) => this.#commit(apply))
  #opened: OpenedEngine
  /** Whether a write failed. Nothing may be appended to the engine's log then. */
  #isSpoilt = false
  #reopening: Promise<Engine> | undefined
  /** The engine that is closed when the scans end. */
  #ended: Engine | undefined
  /** The pending scans, which would fail if the engine were closed. */
  readonly #scans = new Set<Promise<void>>()
  /** A log of the engine; empty while it is unknown or missing. */
  #log = ''
  #isClosed = false

  private constructor(folder: string, opened: OpenedEngine, release: () => Promise<void>) {
    this.#folder = folder
    this.#opened = opened
    this.#release = release
  }

  /**
   * Opens the records of a folder.
   *
   * @throws StoreError when the folder cannot be used or its files are damaged
   */
  static async open(folder: string): Promise<Records> {
    const { path, release } = await claimFolder(folder)
    try {
      return new Records(path, await openEngine(path), release)
    } catch (error) {
      await release()
      throw error
    }
  }

  /** Returns the text of one record. */
  async get(key: string): Promise<string | undefined> {
    const engine = this.#openEngine() ?? (await this.#reopen())
    const sealed = readValue(engine, key)
    return sealed === undefined ? undefined : this.#unseal(key, sealed)
  }

  /**
   * Visits the texts of a range in order, as they are at this moment, until `visit` returns false.
   *
   * @param visit - must not use the records: they may wait for the end of the scan
   */
  async scan(range: RecordRange, visit: Visit<[text: string, key: string]>): Promise<void> {
    const engine = this.#openEngine() ?? (await this.#reopen())
    const scan = walk(engine, { gte: range.low, lt: range.high }, (key, sealed) =>
      visit(this.#unseal(key, sealed), key),
    )
    this.#scans.add(scan)
    await scan.finally(() => this.#scans.delete(scan))
  }

  /**
   * Changes records atomically; resolves when the change is on the disk. No other write happens
   * between what it reads and what it writes.
   *
   * @param change - changes the draft, or throws before it has changed anything
   */
  async commit<Result>(change: (draft: RecordDraft) => Result): Promise<Result> {
    return this.#queue.add(change)
  }

  /** Waits for pending commits and scans, and releases the folder. */
  async close(): Promise<void> {
    try {
      await this.#queue.drained()
      this.#isClosed = true
      // What a read opens again must be closed too.
      await this.#reopening?.catch(() => undefined)
      const { engine, totals, commitFile } = this.#opened
      await Promise.allSettled(this.#scans)
      await engine.close().finally(() => commitFile.close())
      // What is at the path now may belong to others.
      if (!commitFile.isInPlace) return
      // Closing must go on without these: the store is then as after a crash.
      await Promise.allSettled([
        restrictFiles(this.#folder),
        recordCommits(this.#folder, totals.commits),
      ])
    } finally {
      await this.#release()
    }
  }

  async #commit(apply: (draft: RecordDraft) => void): Promise<void> {
    const engine = await this.#writableEngine()
    const draft = new RecordDraft({
      read: (key) => readValue(engine, key),
      unseal: (key, sealed) => this.#unseal(key, sealed),
    })
    apply(draft)
    const { operations, totals } = draft.commit(this.#opened.totals)
    try {
      await writeAll(engine, operations)
      this.#opened = { ...this.#opened, totals }
      this.#opened.commitFile.write(totals.commits)
      // Only now: the folder may have gone while the engine wrote.
      await this.#checkPlace()
    } catch (error) {
      this.#isSpoilt = true
      throw storeErrorOf(error, this.#folder)
    }
  }

  /** @throws StoreError StoreAccessFailed when the folder is not where it was, or without its log */
  async #checkPlace(): Promise<void> {
    // Now and then, the engine begins a new log and removes the one before.
    const isNew = !existsSync(this.#log)
    if (isNew) this.#log = logIn(this.#folder)
    if (this.#log === '' || !this.#opened.commitFile.isInPlace) {
      throw missingStore(this.#folder)
    }
    if (isNew) await restrictFiles(this.#folder)
  }

  async #writableEngine(): Promise<Engine> {
    await this.#reopening
    await this.#checkPlace()
    const engine = this.#openEngine()
    if (engine !== undefined && !this.#isSpoilt) return engine
    if (engine !== undefined) await this.#tryWriting()
    return this.#reopen()
  }

  #openEngine(): Engine | undefined {
    const { engine } = this.#opened
    return engine.status === 'open' && engine !== this.#ended ? engine : undefined
  }

  /** A reopened engine reads its log as far as it is complete, and begins a new one. */
  async #reopen(): Promise<Engine> {
    if (this.#isClosed) throw closedStore(this.#folder)
    this.#reopening ??= this.#openAgain().finally(() => {
      this.#reopening = undefined
    })
    return this.#reopening
  }

  async #openAgain(): Promise<Engine> {
    this.#ended = this.#opened.engine
    await Promise.allSettled(this.#scans)
    await this.#ended.close()
    // The engine would make a new store in a new folder. Not later: it replaces its files while it opens.
    await this.#checkPlace()
    const opened = await openEngine(this.#folder)
    this.#opened.commitFile.close()
    this.#opened = opened
    await this.onReopen()
    this.#isSpoilt = false
    return opened.engine
  }

  /** While nothing can be written, the engine stays open for reads. */
  async #tryWriting(): Promise<void> {
    const file = join(this.#folder, TRIAL)
    try {
      const size = TRIAL_MARGIN + (await logSize(this.#folder))
      await writeFile(file, Buffer.alloc(size), { flush: true, mode: OWNER_ONLY.file })
    } catch (error) {
      throw storeErrorOf(error, this.#folder)
    } finally {
      await rm(file, { force: true })
    }
  }

  #unseal(key: string, sealed: string): string {
    const text = unsealText(key, sealed)
    if (text !== undefined) return text
    const found = 'a record has changed since it was written'
    throw corruptedStore(this.#folder, found)
  }
}
