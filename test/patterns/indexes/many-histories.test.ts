import { describe, expect, it } from 'vitest'
import { playHistories, seedsFrom } from './play-histories.ts'

describe('9,000 more histories of programs of two versions with random declarations', () => {
  it('give the rows of the scan and their sums, or an error that says why not', async () => {
    const { wrong, played } = await playHistories(seedsFrom(1_001, 9_000))
    expect(wrong).toEqual([])
    expect(played).toEqual({ memory: 5_760, cosmos: 2_880, folder: 360 })
  }, 1_200_000)
})
