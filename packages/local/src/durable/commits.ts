import { type BigIntStats, closeSync, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { corruptedStore } from '../errors/store-error.ts'
import { sealText, unsealText } from './sealed-text.ts'
import { readIfExists, replaceFile } from './store-folder.ts'

const FILE = 'rowkey-store.commits'
/** All numbers have the same length, so that each overwrites the one before. */
const DIGITS = 16

/**
 * Keeps how many commits a store has at least, beside the engine's files. It is renewed after each
 * commit. When the engine finds fewer, its log was cut off, emptied or lost; the engine itself
 * would open an older store without an error.
 */
export class CommitFile {
  readonly #path: string
  readonly #descriptor: number
  readonly #opened: BigIntStats

  private constructor(path: string) {
    this.#path = path
    this.#descriptor = openSync(path, 'r+')
    this.#opened = fstatSync(this.#descriptor, { bigint: true })
  }

  /** Opens the file of a folder, and writes the first number. */
  static async open(folder: string, commits: number): Promise<CommitFile> {
    const path = join(folder, FILE)
    await replaceFile(path, printCommits(commits))
    return new CommitFile(path)
  }

  /**
   * Whether the file is still in its folder, at the same path. Otherwise someone removed or replaced the
   * folder: the engine would write to files that are lost.
   */
  get isInPlace(): boolean {
    const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    return found?.ino === this.#opened.ino && found.dev === this.#opened.dev
  }

  /**
   * Writes a number without waiting for the disk. It survives the end of the process. After a loss
   * of power the bound may be too low, which only makes it weaker.
   */
  write(commits: number): void {
    try {
      writeSync(this.#descriptor, printCommits(commits), 0)
    } catch {
      // The commit itself is on the disk; the bound stays lower than it could be.
    }
  }

  /** Closes the file, once. */
  close(): void {
    closeSync(this.#descriptor)
  }
}

/**
 * Reads how many commits a store has at least; 0 when the file does not exist.
 *
 * @throws StoreError StoreCorrupted when the file is damaged
 */
export async function readCommitFile(folder: string): Promise<number> {
  const text = (await readIfExists(join(folder, FILE))) ?? ''
  if (text === '') return 0
  const commits = unsealText(FILE, text.trimEnd())
  if (commits !== undefined) return Number(commits)
  throw corruptedStore(folder, `${FILE} has changed since it was written`)
}

function printCommits(commits: number): string {
  return `${sealText(FILE, String(commits).padStart(DIGITS, '0'))}\n`
}

/** A change that waits for its commit. */
interface Waiting<Draft> {
  readonly change: (draft: Draft) => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Commits changes: `apply` makes them on a draft. */
type Commit<Draft> = (apply: (draft: Draft) => void) => Promise<void>

/** The most changes in one commit. With more, the first ones would wait too long. */
const MAX_CHANGES = 256

/**
 * Makes changes one after another, so that no write happens between what a change reads and writes.
 * All that wait during a commit go into the next one together: a write to the disk is slow, and
 * many at once cost no more than one.
 */
export class CommitQueue<Draft> {
  readonly #commit: Commit<Draft>
  readonly #waiting: Waiting<Draft>[] = []
  #running: Promise<void> | undefined

  /** @param commit - stores all that `apply` does to a draft, or nothing */
  constructor(commit: Commit<Draft>) {
    this.#commit = commit
  }

  /**
   * Makes a change; resolves when it is stored. Rejects when all that the change has seen is stored.
   *
   * @param change - changes the draft, or throws before it has changed anything
   */
  add<Result>(change: (draft: Draft) => Result): Promise<Result> {
    const added = new Promise((resolve, reject) => this.#waiting.push({ change, resolve, reject }))
    this.#running ??= this.#run()
    // The result of `change`. The queue holds changes with different results.
    return added as Promise<Result>
  }

  /** Resolves when nothing is waiting. */
  async drained(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // Lets in all changes of this turn.
    await undefined
    while (this.#waiting.length > 0) {
      await this.#commitNext(this.#waiting.splice(0, MAX_CHANGES))
      // The responses are sent and the requests that have arrived are read before the next commit.
      await new Promise(setImmediate)
    }
    this.#running = undefined
  }

  async #commitNext(group: readonly Waiting<Draft>[]): Promise<void> {
    let outcomes: readonly (() => void)[] = []
    try {
      await this.#commit((draft) => {
        outcomes = group.map((waiting) => makeChange(waiting, draft))
      })
      for (const tell of outcomes) tell()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

/** Makes a change and returns what tells its outcome: also an error may depend on what is not stored yet. */
function makeChange<Draft>({ change, resolve, reject }: Waiting<Draft>, draft: Draft): () => void {
  try {
    const result = change(draft)
    return () => resolve(result)
  } catch (error) {
    return () => reject(error)
  }
}
