import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JournalFile } from '@rowkey/mapper'
import type { RunningService } from './axes/services.ts'

/** How long a full disk takes to fail, in milliseconds of virtual time. */
const FAILING_TIME = 20

let files = 0

/** The journal of a cell: a file, one of whose appends can fail half way, as on a full disk. */
export class CellJournal {
  readonly #path = join(tmpdir(), `rowkey-meeting-${process.pid}-${++files}.journal`)
  readonly #service: RunningService
  #handle: FileHandle | undefined
  /** How many appends succeed before one fails; none fails when it is absent. */
  #left: number | undefined

  /** @param service - its time stands still while the file is used */
  constructor(service: RunningService) {
    this.#service = service
  }

  /** Lets an append fail half way, counted from 1. */
  tear(append: number): void {
    this.#left = append
  }

  /** Returns the open file; opens it for a program that has none. */
  async file(): Promise<JournalFile> {
    this.#handle ??= await open(this.#path, 'a+')
    return new Proxy(this.#handle, {
      get: (handle, name) => {
        const member: unknown = Reflect.get(handle, name, handle)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) =>
          name === 'appendFile' && this.#isTorn()
            ? this.#tear(handle, String(given[0]))
            : this.#service.traffic.during(() => member.apply(handle, given))
      },
    })
  }

  /** Closes the file, as the end of its program does. */
  async release(): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
  }

  /** Deletes the file. */
  async end(): Promise<void> {
    await this.release()
    await rm(this.#path, { force: true })
  }

  #isTorn(): boolean {
    if (this.#left === undefined) return false
    this.#left--
    return this.#left === 0
  }

  async #tear(handle: FileHandle, text: string): Promise<never> {
    const { traffic, time } = this.#service
    await traffic.during(() => handle.appendFile(text.slice(0, text.length / 2)))
    await time.sleep(FAILING_TIME)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
}
