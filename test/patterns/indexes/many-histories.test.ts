import { describe, expect, it } from 'vitest'
import { playHistories, seedsFrom } from './play-histories.ts'

describe('9,600 more histories of programs of two versions with random declarations', () => {
  it('give the rows of the scan and their sums, or an error that says why not', async () => {
    const { wrong, played } = await playHistories(seedsFrom(401, 9_600))
    expect(wrong).toEqual([])
    expect(played).toEqual({ memory: 6_144, cosmos: 3_072, folder: 384 })
  }, 1_200_000)
})
