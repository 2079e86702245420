import type { ClassicLevel } from 'classic-level'
import { missingEngine } from '../errors/store-error.ts'
import type { RecordRange } from './record-key.ts'

/**
 * The engine below a durable store: texts by key, in the order of the keys' UTF-8, with atomic
 * batches. It hands over texts faster than bytes.
 */
export type Engine = ClassicLevel<string, string>

type EngineModule = Pick<typeof import('classic-level'), 'ClassicLevel'>

/**
 * Loads the engine, which is an optional peer: a service in memory needs none.
 *
 * @param folder - the folder that is to be opened
 * @param load - imports the package
 * @throws StoreError StoreEngineMissing when it is not installed
 */
export async function loadEngine(
  folder: string,
  load: () => Promise<EngineModule> = () => import('classic-level'),
): Promise<EngineModule['ClassicLevel']> {
  try {
    return (await load()).ClassicLevel
  } catch (cause) {
    throw missingEngine(folder, cause)
  }
}

/** One operation of the engine. */
export type EngineOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string }

/** Records that are fetched from the engine at first, since many walks end after a few. */
const FIRST_COUNT = 16
/** How many times as many are fetched next. */
const GROWTH = 8
/** The most that are fetched at once, by number and by bytes. */
const FETCH_COUNT = 1_000
const FETCH_BYTES = 1_048_576

/**
 * Shows the records of a range as they are at this moment, whatever is written meanwhile.
 *
 * @param visit - given key and value; ends the walk by returning false
 */
export async function walk(
  engine: Engine,
  range: Partial<RecordRange>,
  visit: (key: string, value: string) => boolean,
): Promise<void> {
  const { low, high } = range
  const iterator = engine.iterator({
    ...(low === undefined ? {} : { gte: low }),
    ...(high === undefined ? {} : { lt: high }),
    highWaterMarkBytes: FETCH_BYTES,
  })
  try {
    for (let count = FIRST_COUNT; ; count = Math.min(count * GROWTH, FETCH_COUNT)) {
      const entries = await iterator.nextv(count)
      if (entries.length === 0) return
      for (const [key, value] of entries) {
        if (!visit(key, value)) return
      }
    }
  } finally {
    await iterator.close()
  }
}

/** Does all operations, or none; resolved when they are on the disk. */
export async function writeAll(
  engine: Engine,
  operations: readonly EngineOperation[],
): Promise<void> {
  // Filled one by one, a batch costs a quarter of one that is given a list.
  const batch = engine.batch()
  for (const operation of operations) {
    if (operation.type === 'put') batch.put(operation.key, operation.value)
    else batch.del(operation.key)
  }
  await batch.write({ sync: true })
}
