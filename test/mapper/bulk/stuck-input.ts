import type { DynamicEntity } from '@rowkey/odata'

/** An input that yields some rows and then nothing more, and counts how often it is released. */
export function stuckInput(given: readonly DynamicEntity[]) {
  const left = [...given]
  const counts = { released: 0 }
  const input: AsyncIterable<DynamicEntity> = {
    [Symbol.asyncIterator]: () => ({
      next() {
        const value = left.shift()
        return value === undefined ? new Promise(() => {}) : Promise.resolve({ value })
      },
      return() {
        counts.released++
        return new Promise(() => {})
      },
    }),
  }
  return { input, counts }
}
