import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HistoryStage, type StageKind } from './history-stage.ts'
import { playHistory } from './index-histories.ts'

/** Histories that were played. */
export interface PlayedHistories {
  readonly wrong: readonly string[]
  /** How many were played in each kind of stage. */
  readonly played: Readonly<Record<StageKind, number>>
}

/** A stage remembers what each process knew of each account, so it does not live forever. */
const HISTORIES_OF_A_STAGE = 4_000

/** Plays the histories of some seeds. A seed plays the same history, in the same kind of stage, wherever it is played. */
export async function playHistories(seeds: Iterable<number>): Promise<PlayedHistories> {
  const stages = new Map<StageKind, HistoryStage>()
  const played = { memory: 0, cosmos: 0, folder: 0 }
  const wrong: string[] = []
  try {
    for (const seed of seeds) {
      const kind = kindOf(seed)
      const stage = stages.get(kind) ?? (await openStage(kind))
      stages.set(kind, stage)
      wrong.push(...(await playHistory(stage, seed)))
      if (++played[kind] % HISTORIES_OF_A_STAGE > 0) continue
      stages.delete(kind)
      await stage.close()
    }
    return { wrong, played }
  } finally {
    for (const stage of stages.values()) await stage.close()
  }
}

/** A folder writes to the disk: a history there takes six times as long. */
function kindOf(seed: number): StageKind {
  if (seed % 25 === 0) return 'folder'
  return seed % 3 === 0 ? 'cosmos' : 'memory'
}

async function openStage(kind: StageKind): Promise<HistoryStage> {
  const isStored = kind === 'folder'
  const folder = isStored ? await mkdtemp(join(tmpdir(), 'rowkey-histories-')) : undefined
  return new HistoryStage({ kind, folder })
}

/** Lists some seeds in a row. */
export function* seedsFrom(first: number, count: number, step = 1): Generator<number> {
  for (let seed = first; seed < first + count; seed += step) yield seed
}
