import { Session } from 'node:inspector/promises'

// biome-ignore lint/suspicious/noExplicitAny: any built-in function, and what it takes
type Any = any

/** How often a search by a method of texts or bytes looks at a unit, given where it begins, what it found, and the length. */
type Looked = (length: number, found: number, from: number) => number

const forwards: Looked = (length, found, from) => (found < 0 ? length : found) - from
const backwards: Looked = (length, found, from) => Math.min(from, length) - Math.max(found, 0)

/** Counts the units that built-in functions look at, until `restore` is called. */
function countUnits(): { readonly units: () => number; readonly restore: () => void } {
  let units = 0
  const restores: (() => void)[] = []
  const wrap = (
    owner: Any,
    name: string,
    count: (self: Any, args: Any[], result: Any) => number,
  ) => {
    const original = owner[name]
    owner[name] = function (...args: unknown[]) {
      const before = this instanceof RegExp ? this.lastIndex : 0
      const result = original.apply(this, args)
      units += count(this instanceof RegExp ? { before, pattern: this } : this, args, result)
      return result
    }
    restores.push(() => {
      owner[name] = original
    })
  }
  for (const owner of [String.prototype, Uint8Array.prototype, Array.prototype]) {
    wrap(owner, 'indexOf', ({ length }, [, from = 0], found) => forwards(length, found, from))
    wrap(owner, 'lastIndexOf', ({ length }, [, from = length], found) =>
      backwards(length, found, from),
    )
    wrap(owner, 'includes', ({ length }) => length)
  }
  for (const name of ['split', 'replaceAll', 'trim', 'normalize', 'toLowerCase', 'isWellFormed']) {
    if (name in String.prototype) wrap(String.prototype, name, ({ length }) => length)
  }
  for (const name of ['join', 'splice', 'unshift', 'concat', 'toSorted', 'slice']) {
    wrap(Array.prototype, name, ({ length }) => length)
  }
  // All functions that take a regular expression call this once it is another one.
  wrap(RegExp.prototype, 'exec', ({ before, pattern }, [text], found) => {
    const from = pattern.global || pattern.sticky ? before : 0
    if (found !== null) return found.index + found[0].length - from
    return pattern.sticky ? 1 : String(text).length - from
  })
  wrap(JSON, 'parse', (_, [text]) => String(text).length)
  wrap(JSON, 'stringify', (_, __, text) => String(text).length)
  wrap(TextDecoder.prototype, 'decode', (_, [bytes]) => bytes?.length ?? 0)
  wrap(Buffer, 'concat', (_, __, bytes) => bytes.length)
  return { units: () => units, restore: () => restores.map((restore) => restore()) }
}

/**
 * Counts the steps of some work: how often each piece of code of the packages ran, and how many units of texts and bytes built-in functions
 * looked at. It measures no time, so a busy machine does not change it.
 *
 * @param work - the work, which runs once
 */
export async function countSteps(work: () => unknown): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const { units, restore } = countUnits()
  try {
    await work()
  } finally {
    restore()
  }
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  const counts = result
    .filter(({ url }) => /\/packages\/[\w-]+\/src\//.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
  return counts.reduce((sum, count) => sum + count, units())
}
