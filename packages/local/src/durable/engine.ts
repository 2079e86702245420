import { join } from 'node:path'
import type { ClassicLevel } from 'classic-level'
import { missingEngine } from '../errors/store-error.ts'
import type { Visit } from '../store/table-store.ts'

/**
 * The engine of a durable store: texts by key in the order of the keys' UTF-8, with atomic batches.
 * It reads texts faster than bytes.
 */
export type Engine = ClassicLevel<string, string>

type EngineModule = Pick<typeof import('classic-level'), 'ClassicLevel'>

/**
 * Loads the engine, which is an optional peer: a service in memory does not need it.
 *
 * @param folder - the folder to open
 * @param load - loads the package
 * @throws StoreError StoreEngineMissing when it is not installed
 */
export function loadEngine(
  folder: string,
  load: () => EngineModule = requireEngine,
): EngineModule['ClassicLevel'] {
  try {
    return load().ClassicLevel
  } catch (cause) {
    throw missingEngine(folder, cause)
  }
}

/**
 * Requires the package at run time only. Bundlers reject an `import()` or `require()` of a package that is
 * not installed, also one of `createRequire` where they see it. They could not bundle this one, which is
 * native code. Bundlers that write CommonJS leave `import.meta.url` empty; the package is then found from
 * the working directory.
 */
function requireEngine(): EngineModule {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url ?? join(process.cwd(), 'index.js'))('classic-level')
}

/** One operation of the engine. */
export type EngineOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string }

/** How many records to fetch first: many walks end after a few. */
const FIRST_COUNT = 16
/** How many times more records to fetch next. */
const GROWTH = 8
/** The most records and bytes to fetch at a time. */
const FETCH_COUNT = 1_000
const FETCH_BYTES = 1_048_576

/**
 * Visits the records of a range as they are at this moment, despite later writes.
 *
 * @param visit - receives key and value; returns false to end the walk
 */
export async function walk(
  engine: Engine,
  range: { readonly gte?: string; readonly lt?: string },
  visit: Visit<[key: string, value: string]>,
): Promise<void> {
  const iterator = engine.iterator({ ...range, highWaterMarkBytes: FETCH_BYTES })
  try {
    for (let count = FIRST_COUNT; ; count = Math.min(count * GROWTH, FETCH_COUNT)) {
      const entries = await iterator.nextv(count)
      if (entries.length === 0) return
      for (const [key, value] of entries) {
        const goesOn = visit(key, value)
        // Awaits only what must wait: most visits are done at once.
        if (goesOn === true) continue
        if (!(await goesOn)) return
      }
    }
  } finally {
    await iterator.close()
  }
}

/** Returns the value of a key; `undefined` when it does not exist. */
export function readValue(engine: Engine, key: string): string | undefined {
  // The engine writes a text into a buffer that it reuses, and takes a character of several bytes that is cut off there for the end.
  return Buffer.byteLength(key) === key.length
    ? engine.getSync(key)
    : engine.getSync<Buffer, string>(Buffer.from(key), { keyEncoding: 'buffer' })
}

/** Applies all operations, or none; resolves when they are on the disk. */
export async function writeAll(
  engine: Engine,
  operations: readonly EngineOperation[],
): Promise<void> {
  // Adding operations one by one costs a quarter of passing a list.
  const batch = engine.batch()
  for (const operation of operations) {
    if (operation.type === 'put') batch.put(operation.key, operation.value)
    else batch.del(operation.key)
  }
  await batch.write({ sync: true })
}
