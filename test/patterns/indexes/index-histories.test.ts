import { describe, expect, it } from 'vitest'
import { randomSteps } from '../../support/random-steps.ts'
import { playHistories, seedsFrom } from './play-histories.ts'

/** `npm run check` plays those that follow, too. */
const HISTORIES = Math.min(100, randomSteps(500))

describe(`${HISTORIES} histories of programs of two versions with random declarations`, () => {
  it('give the rows of the scan and their sums, or an error that says why not', async () => {
    const { wrong, played } = await playHistories(seedsFrom(1, HISTORIES))
    expect(wrong).toEqual([])
    const { memory, cosmos, folder } = played
    expect(memory + cosmos + folder).toBe(HISTORIES)
    expect(Math.min(memory, cosmos, folder)).toBeGreaterThanOrEqual(Math.floor(HISTORIES / 25))
  }, 240_000)
})
