import { describe, expect, it } from 'vitest'
import { bulkTable, rows } from './bulk-account.ts'

describe('the flow of a bulk writer', () => {
  it('waits for a loop that reads outcomes slowly', async () => {
    const { table } = await bulkTable()
    let read = 0
    function* input() {
      for (const entity of rows('p', 1_000)) {
        read++
        yield entity
      }
    }
    const outcomes = table.bulk({ buffer: 10 }).insert(input())[Symbol.asyncIterator]()
    for (let taken = 0; taken < 5; taken++) await outcomes.next()
    await new Promise(setImmediate)
    expect(read).toBeLessThan(60)
    await outcomes.return(undefined)
  })

  it('does not let an input wait for outcomes that wait for more input', async () => {
    const { table } = await bulkTable()
    const settled: number[] = []
    async function* input() {
      for (const [at, entity] of rows('p', 3).entries()) {
        while (settled.length < at) await new Promise(setImmediate)
        yield entity
      }
    }
    for await (const { index } of table.bulk().insert(input())) settled.push(index)
    expect(settled).toEqual([0, 1, 2])
  })
})
