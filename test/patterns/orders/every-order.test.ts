import { describe, expect, it } from 'vitest'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { playEveryOrder } from './every-order.ts'
import { plantedBugs } from './planted-bugs.ts'
import { smallPrograms } from './small-programs.ts'

/** After how many states a search ends here; each night plays all. */
const MOST = CASE_STEP === 7 ? 20 : 100
/** Each bug shows sooner. */
const MOST_WITH_BUG = 1_000

const searches = Object.entries(smallPrograms).flatMap(([name, program]) =>
  program.scopes.map((scope) => [name, scope, program] as const),
)

describe(`R-24, R-146: the first ${MOST} states of every order`, () => {
  it.each(searches)('of %s have no wrong end, %o', async (_, scope, program) => {
    const { states, isWhole, counterexample } = await playEveryOrder(program, scope, { most: MOST })
    expect(counterexample).toBeUndefined()
    expect(isWhole || states >= MOST).toBe(true)
  })
})

describe('the search', () => {
  it.each(Object.entries(plantedBugs))(
    'finds a client or a service that %s',
    async (_, { program, scope, bug }) => {
      const options = { most: MOST_WITH_BUG, bug }
      const { counterexample } = await playEveryOrder(smallPrograms[program]!, scope, options)
      expect(counterexample).toMatch(/\/\/ wrong: /)
    },
  )

  it('prints what it found as a program', async () => {
    const { program, scope, bug } = plantedBugs['overwrites a row that exists']!
    const { counterexample } = await playEveryOrder(smallPrograms[program]!, scope, { bug })
    expect(counterexample?.split('\n')).toEqual([
      "    // the service answers A's POST staff + POST staff",
      'A: insert({ salary: 1 }) // returns nothing',
      "    // the service answers B's POST staff + POST staff",
      'B: insert({ salary: 2 }) // returns nothing',
      '// wrong: no order of the calls explains how they ended, and the row of 2',
    ])
  })

  it('plays every order of two inserts, and no order twice', async () => {
    const { states, isWhole } = await playEveryOrder(
      smallPrograms['exact inserts and a delete of one row']!,
      { clients: 'AB', faults: 0, passes: 0 },
    )
    expect({ states, isWhole }).toEqual({ states: 5, isWhole: true })
  })
})
