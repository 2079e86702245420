import { expect, it } from 'vitest'
import { BodyBudget } from '../../../packages/local/src/http/body-budget.ts'

it('a BodyBudget gives no more than there is, and has back what is released', () => {
  const budget = new BodyBudget(10)
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
