import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { playHistory, type StageKind } from './history.ts'

/** Histories that were played. */
export interface PlayedHistories {
  readonly wrong: readonly string[]
  /** How many were played in each kind of stage. */
  readonly played: Readonly<Record<StageKind, number>>
}

/** Plays the histories of some seeds. A seed plays the same history, in the same kind of stage, wherever it is played. */
export async function playHistories(seeds: Iterable<number>): Promise<PlayedHistories> {
  const played = { memory: 0, cosmos: 0, folder: 0 }
  const wrong: string[] = []
  for (const seed of seeds) {
    const kind = kindOf(seed)
    const folder = kind === 'folder' ? await mkdtemp(join(tmpdir(), 'rowkey-history-')) : undefined
    wrong.push(...(await playHistory(kind, seed, folder)))
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    played[kind]++
  }
  return { wrong, played }
}

/** A folder writes to the disk: a history there takes longer. */
function kindOf(seed: number): StageKind {
  if (seed % 25 === 0) return 'folder'
  return seed % 3 === 0 ? 'cosmos' : 'memory'
}

/** Lists some seeds in a row. */
export function* seedsFrom(first: number, count: number, step = 1): Generator<number> {
  for (let seed = first; seed < first + count; seed += step) yield seed
}
