import { expect, it } from 'vitest'
import { PageTurns } from '../../../packages/local/src/query/page-turns.ts'

it('PageTurns ends a turn after 20,000 rows, tests and pieces of text, and the page after 5 seconds', async () => {
  let now = 0
  let rests = 0
  const turns = new PageTurns({
    now: () => now,
    rest: async () => {
      rests++
    },
  })
  turns.spend(19_996, { element: 'x'.repeat(512) })
  expect(turns.isOver).toBe(false)
  turns.spend(0, { element: '' })
  expect([turns.isOver, turns.isTimeUp]).toEqual([true, false])
  now = 4_999
  await turns.next()
  expect([turns.isOver, turns.isTimeUp, rests]).toEqual([false, false, 1])
  now = 5_000
  await turns.next()
  expect(turns.isTimeUp).toBe(true)
})
