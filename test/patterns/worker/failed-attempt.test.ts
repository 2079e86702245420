import { describe, expect, it } from 'vitest'
import { failing } from './failing-jobs.ts'

describe('worker', () => {
  it('tries a failed job again, after 1 s, 2 s and so on', async () => {
    const { jobs, seen } = failing()
    await jobs.send('fail', 2)
    expect(await jobs.drain()).toEqual({ done: 1, failed: 2, dead: 0 })
    expect(seen).toEqual([
      [1, 0],
      [2, 1_000],
      [3, 3_000],
    ])
  })
})
