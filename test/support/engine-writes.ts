import { createRequire } from 'node:module'
import type { ClassicLevel } from 'classic-level'
import { vi } from 'vitest'

type Batch = { write(options: object): Promise<void> }

/** What all engines have in common, as far as tests use it. */
type EngineKind = Pick<ClassicLevel, 'close' | 'iterator'> & { batch(): Batch }

/** The prototype of the engines of all stores. */
export const ENGINE: EngineKind = createRequire(import.meta.url)('classic-level').ClassicLevel
  .prototype

/** Acts when the next write is in the engine's log, and before the store knows it. */
export function afterNextWrite(act: () => unknown): void {
  const { batch } = ENGINE
  vi.spyOn(ENGINE, 'batch').mockImplementationOnce(function (this: typeof ENGINE) {
    const written = batch.call(this)
    const { write } = written
    written.write = async (options: object) => {
      await write.call(written, options)
      await act()
    }
    return written
  })
}

/** Lets the next write reach the engine's log, but not be known to be on the disk. */
export function failNextSync(): void {
  afterNextWrite(() => {
    throw new Error('IO error: sync')
  })
}
