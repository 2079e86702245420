import { expect, it } from 'vitest'
import { MemoryBudget } from '../../../packages/local/src/http/incoming-request.ts'

it('a MemoryBudget gives no more than is left, and takes back what is released', () => {
  const budget = new MemoryBudget(10)
  const [first, second] = [budget.share(), budget.share()]
  expect([first.take(6), second.take(5), second.take(4), first.take(1)]).toEqual([
    true,
    false,
    true,
    false,
  ])
  first.release()
  first.release()
  expect([second.take(7), second.take(6)]).toEqual([false, true])
})

it('a MemoryBudget is spent when nothing is left, including forced bytes', () => {
  const budget = new MemoryBudget(10)
  const share = budget.share()
  share.force(9)
  expect(budget.isSpent).toBe(false)
  share.force(9)
  expect([budget.isSpent, budget.share().take(1)]).toEqual([true, false])
  share.release()
  expect([budget.isSpent, budget.share().take(10)]).toEqual([false, true])
})
