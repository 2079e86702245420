import { describe, expect, it } from 'vitest'
import { playHistories, seedsFrom } from './play-histories.ts'

describe('400 histories of programs of two versions with random declarations', () => {
  it('give the rows of the scan and their sums, or an error that says why not', async () => {
    const { wrong, played } = await playHistories(seedsFrom(1, 400))
    expect(wrong).toEqual([])
    expect(played).toEqual({ memory: 256, cosmos: 128, folder: 16 })
  }, 240_000)
})
