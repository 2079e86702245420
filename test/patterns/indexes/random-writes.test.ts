import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { crowd } from './crowd.ts'
import { buildUnderLoad, raceForValues } from './index-races.ts'

/** How many rounds of each seed are played: all, or those of the only seed that is left. */
const ROUNDS = Math.min(30, randomSteps(8 * 30))
const BULK_ROUNDS = Math.min(10, randomSteps(4 * 10))

describe('entries of a table that several programs write', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8].slice(0, randomSteps(8)))(
    'are never wrong, with requests and responses that get lost: seed %i',
    async (seed) => {
      const { act, plain, open, indexes } = crowd(seed)
      const indexed = indexes.on(plain)
      await plain.table('employees').create()
      await indexed.build()
      let rows = 0
      for (let round = 0; round < ROUNDS; round++) {
        await Promise.all(Array.from({ length: 4 }, () => act(open())))
        const progress = await indexed.verify()
        expect(progress.found, `seed ${seed}, round ${round}`).toBe(0)
        rows += progress.rows
      }
      expect(rows).toBeGreaterThan(10)
    },
  )

  longTest.each([1, 2, 3, 4].slice(0, randomSteps(4)))(
    'are never wrong when bulk writes read rows long before they write them: seed %i',
    async (seed) => {
      const { act, plain, open, indexes } = crowd(seed, { rows: 60, values: 40 })
      const indexed = indexes.on(plain)
      await plain.table('employees').create()
      await indexed.build()
      for (let round = 0; round < BULK_ROUNDS; round++) {
        await Promise.all(Array.from({ length: 12 }, () => act(open())))
        expect((await indexed.verify()).found, `seed ${seed}, round ${round}`).toBe(0)
      }
    },
  )

  it('are complete after builds beside the writers', async () => {
    const { act, plain, open, indexes } = crowd(99)
    const indexed = indexes.on(plain)
    await plain.table('employees').create()
    for (let round = 0; round < randomSteps(20); round++) {
      const writers = Array.from({ length: 4 }, () => act(open()))
      await Promise.all([...writers, indexed.build()])
      expect(await indexed.verify(), `round ${round}`).toMatchObject({ found: 0 })
    }
  })
})

const BUILDS = randomSteps(50)
const UPDATES = randomSteps(4_000)

describe('races', () => {
  longTest(
    `R-146: ${BUILDS} builds beside writers, some of dying builders, leave every index right`,
    async () => {
      let done = 0
      for (let seed = 1; done < BUILDS; seed++) {
        const result = await buildUnderLoad(seed)
        expect(result.wrong).toEqual([])
        done += result.done
      }
    },
  )

  longTest(
    `R-146: ${UPDATES} racing updates of unique values give no value to two rows`,
    async () => {
      const { done, wrong, endings } = await raceForValues(1, UPDATES)
      expect({ done, wrong }).toEqual({ done: UPDATES, wrong: [] })
      expect(endings?.get('stored')).toBeGreaterThan(UPDATES / 10)
      expect(endings?.get('taken')).toBeGreaterThan(UPDATES / 10)
    },
  )
})
