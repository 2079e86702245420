import { describe, expect, it } from 'vitest'
import { playHistories, seedsFrom } from './play-histories.ts'

describe('1,000 histories of programs of two versions with random declarations', () => {
  it('give the rows of the scan and their sums, or an error that says why not', async () => {
    const { wrong, played } = await playHistories(seedsFrom(1, 1_000))
    expect(wrong).toEqual([])
    expect(played).toEqual({ memory: 640, cosmos: 320, folder: 40 })
  }, 240_000)
})
